"""Which memory does a piece of code allocate and free, and when?"""
