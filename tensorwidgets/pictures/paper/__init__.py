"""How is a picture drawn without a browser?"""
