"""How are tensors kept in the formats of other programs: HDF5, .npy, .npz and safetensors?"""
