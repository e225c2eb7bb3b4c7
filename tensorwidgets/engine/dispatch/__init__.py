"""Which ops exist, and how does a call find its kernel?"""
