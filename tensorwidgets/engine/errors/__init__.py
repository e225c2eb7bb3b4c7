"""How is a refusal explained, and where does an error or a warning point?"""
