"""How are losses scaled for numbers of 16 bits, and what do `with autocast` lines do here?"""
