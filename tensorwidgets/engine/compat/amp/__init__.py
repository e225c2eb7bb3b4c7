"""How are losses scaled for numbers of 16 bits, and how is autocast switched on and off?"""
