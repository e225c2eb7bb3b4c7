"""What becomes of the tensors on a storage when its memory grows, moves or is shared?"""
