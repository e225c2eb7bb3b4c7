"""Hooks for `DistributedDataParallel.register_comm_hook`, which send gradients in other ways."""
