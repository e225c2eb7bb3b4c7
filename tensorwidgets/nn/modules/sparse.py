"""Tables of vectors as modules: Embedding, EmbeddingBag."""

from __future__ import annotations

from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module


class Embedding(Module):
    """Looks up the vector of each number in a table that is trained.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.Embedding(10, 3, padding_idx=0)
    >>> layer
    Embedding(10, 3, padding_idx=0)
    >>> layer(torch.tensor([[1, 2], [4, 0]])).shape
    torch.Size([2, 2, 3])
    """

    __constants__ = [
        "num_embeddings", "embedding_dim", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse",
    ]  # fmt: skip

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Tensor | None = None,
        _freeze: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None:
            if padding_idx > 0 and padding_idx >= num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            if padding_idx < 0:
                if padding_idx < -num_embeddings:
                    raise AssertionError("Padding_idx must be within num_embeddings")
                padding_idx = num_embeddings + padding_idx
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        size = [num_embeddings, embedding_dim]
        if _weight is None:
            self.weight = Parameter(torch.empty(size, device=device, dtype=dtype), requires_grad=not _freeze)
            self.reset_parameters()
        else:
            if list(_weight.shape) != size:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight, requires_grad=not _freeze)
        self.sparse = sparse

    def reset_parameters(self) -> None:
        """Draw from the standard normal distribution; the padding row gets zeros."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self) -> None:
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        words = [f"{self.num_embeddings}, {self.embedding_dim}"]
        if self.padding_idx is not None:
            words.append(f"padding_idx={self.padding_idx}")
        if self.max_norm is not None:
            words.append(f"max_norm={self.max_norm}")
        if self.norm_type != 2:
            words.append(f"norm_type={self.norm_type}")
        if self.scale_grad_by_freq is not False:
            words.append(f"scale_grad_by_freq={self.scale_grad_by_freq}")
        if self.sparse is not False:
            words.append("sparse=True")
        return ", ".join(words)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Embedding:  # fmt: skip
        """A layer with a given table, which is not trained unless `freeze` is False."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(
            rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, _weight=embeddings,
            _freeze=freeze,
        )  # fmt: skip


class EmbeddingBag(Module):
    """Looks up the vectors of several numbers at once, and returns their sum, mean or largest elements.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.EmbeddingBag(10, 3, mode="sum")
    >>> layer
    EmbeddingBag(10, 3, mode='sum')
    >>> layer(torch.tensor([1, 2, 4, 5]), offsets=torch.tensor([0, 3])).shape
    torch.Size([2, 3])
    """

    __constants__ = [
        "num_embeddings", "embedding_dim", "max_norm", "norm_type", "scale_grad_by_freq", "mode", "sparse",
        "include_last_offset", "padding_idx",
    ]  # fmt: skip

    def __init__(
        self, num_embeddings: int, embedding_dim: int, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, _weight: Tensor | None = None,
        include_last_offset: bool = False, padding_idx: int | None = None, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        if padding_idx is not None:
            if padding_idx > 0 and padding_idx >= num_embeddings:
                raise AssertionError("padding_idx must be within num_embeddings")
            if padding_idx < 0:
                if padding_idx < -num_embeddings:
                    raise AssertionError("padding_idx must be within num_embeddings")
                padding_idx = num_embeddings + padding_idx
        self.padding_idx = padding_idx
        size = [num_embeddings, embedding_dim]
        if _weight is None:
            self.weight = Parameter(torch.empty(size, device=device, dtype=dtype))
            self.reset_parameters()
        else:
            if list(_weight.shape) != size:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight)
        self.mode, self.sparse, self.include_last_offset = mode, sparse, include_last_offset

    def reset_parameters(self) -> None:
        """Draw from the standard normal distribution; the padding row gets zeros."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self) -> None:
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        """One vector for each bag: a row of a matrix of numbers, or what `offsets` cut a vector of numbers into."""
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode,
            self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        words = [f"{self.num_embeddings}, {self.embedding_dim}"]
        if self.max_norm is not None:
            words.append(f"max_norm={self.max_norm}")
        if self.norm_type != 2:
            words.append(f"norm_type={self.norm_type}")
        if self.scale_grad_by_freq is not False:
            words.append(f"scale_grad_by_freq={self.scale_grad_by_freq}")
        words.append(f"mode={self.mode!r}")
        if self.padding_idx is not None:
            words.append(f"padding_idx={self.padding_idx}")
        return ", ".join(words)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:  # fmt: skip
        """A layer with a given table, which is not trained unless `freeze` is False."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        layer = cls(
            rows, columns, max_norm, norm_type, scale_grad_by_freq, mode, sparse, _weight=embeddings,
            include_last_offset=include_last_offset, padding_idx=padding_idx,
        )  # fmt: skip
        layer.weight.requires_grad = not freeze
        return layer
