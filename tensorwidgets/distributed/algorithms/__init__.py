"""torch.distributed.algorithms: what becomes of gradients on their way between ranks."""
