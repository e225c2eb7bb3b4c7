"""What are the derivatives of embeddings and of bags of them?"""

from . import bags, tables

__all__ = ["bags", "tables"]
