"""Which old or foreign spellings of PyTorch are understood or explained: constructors, switches, cuda?"""
