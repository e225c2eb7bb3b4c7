"""What PyTorch has taken away or refuses on a machine without a GPU: the same words here."""

from __future__ import annotations

import pytest

import tensorwidgets as tw

GONE = {
    "eig": "`torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors "
    "mimicking complex tensors.",
    "symeig": "The default behavior has changed from using the upper triangular portion of the matrix by default to "
    "using the lower triangular portion.",
    "lstsq": "`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.",
    "solve": "`torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its arguments "
    "reversed and does not return the LU factorization.",
    "matrix_rank": "",
}


@pytest.mark.parametrize("name", GONE)
def test_what_was_taken_away_says_so_when_it_is_called(name: str) -> None:
    a = tw.eye(2)
    args = (a, a) if name in ("lstsq", "solve") else (a,)
    first = f"This function was deprecated since version 1.9 and is now removed. {GONE[name]}".strip()
    with pytest.raises(RuntimeError) as caught:
        getattr(tw, name)(*args)
    assert str(caught.value) == first
    assert caught.value.reason.instead[0].startswith("torch.linalg.")  # type: ignore[attr-defined]
    if name != "matrix_rank":
        with pytest.raises(RuntimeError, match="now removed"):
            getattr(a, name)(*args[1:])


def test_functions_that_write_to_their_argument() -> None:
    x = tw.tensor([-1.5, 2.5])
    assert tw.relu_(x) is x and x.tolist() == [0, 2.5]
    assert tw.fill_(x, 3) is x and tw.clamp_(x, max=1) is x and x.tolist() == [1, 1]


def test_memory_is_called_shared_once_that_is_asked_for_and_never_pinned() -> None:
    x = tw.ones(2, 2)
    assert not x.is_shared() and not x.is_pinned() and not x.untyped_storage().is_pinned()
    assert x[0].share_memory_().is_shared()
    assert x.is_shared() and x.storage().is_shared() and x.untyped_storage().is_shared()
    assert not x.clone().is_shared()
    with pytest.raises(RuntimeError, match="^_share_fd_: only available on CPU"):
        x.to("meta").share_memory_()
    for owner in (x, x.storage(), x.untyped_storage()):
        with pytest.raises(RuntimeError, match=r"^Cannot access accelerator device when none is available\."):
            owner.pin_memory()
    with pytest.raises(RuntimeError, match="^cannot pin 'MetaFloatType' only dense CPU tensors can be pinned"):
        x.to("meta").pin_memory()


@pytest.mark.parametrize("name", ["amax", "amin"])
def test_an_extreme_goes_into_its_own_dtype_alone(name: str) -> None:
    told = "Expected the dtype for input and out to match, but got Float for input's dtype and Double for out's dtype."
    x, out = tw.ones(2, 3), tw.zeros(3, dtype=tw.float64)
    with pytest.raises(RuntimeError) as caught:
        getattr(tw, name)(x, 0, out=out)
    assert str(caught.value) == told and out.tolist() == [0, 0, 0]
    assert getattr(tw, name[1:])(x, out=tw.empty(0, dtype=tw.float64)).tolist() == 1.0


def test_quantized_numbers_have_the_limits_of_what_is_stored_and_no_sign() -> None:
    limits = tw.iinfo(tw.quint8)
    assert (limits.min, limits.max, limits.bits) == (0, 255, 8) and limits == tw.iinfo(tw.quint8) != tw.iinfo(tw.uint8)
    with pytest.raises(NotImplementedError, match="^\"dtype\" not implemented for 'QUInt8'"):
        print(limits)
    with pytest.raises(RuntimeError, match="^isSignedType not supported for quantized types"):
        assert tw.qint8.is_signed
    for name in ("sum", "cumsum"):
        with pytest.raises(RuntimeError, match="^empty_strided not supported on quantized tensors yet"):
            getattr(tw.ones(2), name)(0, dtype=tw.quint8)


def test_normal_of_a_size_knows_no_default_device() -> None:
    with tw.device("meta"):
        assert tw.normal(0.0, 1.0, (2, 3)).device.type == "cpu"
        assert tw.randn(2).device.type == "meta"
