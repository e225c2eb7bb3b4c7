"""Which functions of the user are called with gradients, or with what nodes save?"""
