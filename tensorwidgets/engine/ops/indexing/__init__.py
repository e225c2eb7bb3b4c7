"""How are elements read and written by index: `x[...]`, gather, scatter, masks?"""

from . import gathering, getitem, index_key, index_writing, putting, scattering, selecting, setitem

__all__ = ["gathering", "getitem", "index_key", "index_writing", "putting", "scattering", "selecting", "setitem"]
