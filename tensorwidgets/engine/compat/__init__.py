"""Which legacy parts of PyTorch are supported or explained: constructors, settings, removed functions, cuda?"""
