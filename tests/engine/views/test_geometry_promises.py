"""What geometry promises by itself, without anybody to ask: hypothesis looks for a counterexample."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorwidgets.engine import geometry as geo
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.engine.geometry import Geometry

SIZES = st.integers(0, 4)


@st.composite
def geometries(draw, min_dims: int = 0, max_dims: int = 4, smallest: int = 0) -> Geometry:
    """Anything strided: gaps, repetition, overlap; half of them dense in some order of the dimensions."""
    size = tuple(draw(st.lists(st.integers(smallest, 4), min_size=min_dims, max_size=max_dims)))
    if draw(st.booleans()):
        order = draw(st.permutations(range(len(size))))
        stride = [0] * len(size)
        for place, dim in enumerate(order):
            stride[dim] = prod(size[d] or 1 for d in order[place + 1 :])
    else:
        stride = [draw(st.integers(0, 13)) for _ in size]
    return Geometry(size, tuple(stride), draw(st.integers(0, 5)))


def places(g: Geometry) -> list[int]:
    return list(geo.offsets(g))


def inside(part: Geometry, whole: Geometry) -> bool:
    return set(places(part)) <= set(places(whole))


# --- elements and storage ---


@given(geometries())
def test_each_element_lies_within_the_extent(g):
    found = places(g)
    assert len(found) == geo.numel(g.size)
    assert all(g.offset <= place < g.offset + geo.extent(g.size, g.stride) for place in found)
    assert not found or max(found) == g.offset + geo.extent(g.size, g.stride) - 1


@given(geometries())
def test_elements_are_listed_in_the_order_of_their_indices(g):
    assert places(g) == [geo.offset_of(g, index) for index in product(*map(range, g.size))]


@given(geometries())
def test_reads_count_each_element_once(g):
    counts = geo.reads(g)
    assert sum(counts.values()) == geo.numel(g.size)
    often = max(counts.values(), default=0)
    assert {"no": often <= 1, "yes": often > 1 or not counts, "maybe": True}[geo.overlap(g.size, g.stride)]


@given(geometries())
def test_contiguous_is_one_element_after_the_other(g):
    found = places(g)
    assert geo.is_contiguous(g.size, g.stride) == (found == list(range(g.offset, g.offset + len(found))))


@given(geometries())
def test_dense_is_every_place_of_the_extent_once(g):
    found = places(g)
    dense = sorted(found) == list(range(g.offset, g.offset + len(found)))
    if geo.is_non_overlapping_and_dense(g.size, g.stride):
        assert dense
    elif dense:  # places may fill the extent without nested strides: PyTorch does not look for that
        assert sorted(g.stride) != sorted(geo.contiguous_stride(g.size))


@given(geometries(), st.sampled_from(["contiguous_format", "channels_last", "channels_last_3d"]))
def test_what_breaks_contiguity_is_told_exactly_when_it_is_broken(g, memory_format):
    reason = geo.why_not_contiguous(g.size, g.stride, memory_format)
    assert (reason is None) == geo.is_contiguous(g.size, g.stride, memory_format)
    if reason is not None and "dim" in reason.facts:
        dim = reason.facts["dim"]
        assert g.stride[dim] == reason.facts["found"] != reason.facts["wanted"]
        repaired = (*g.stride[:dim], reason.facts["wanted"], *g.stride[dim + 1 :])
        after = geo.why_not_contiguous(g.size, repaired, memory_format)
        assert after is None or after.facts["dim"] != dim


@given(geometries(max_dims=3), geometries(max_dims=3), st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4]))
def test_overlap_of_two_views_is_overlap_of_their_bytes(a, b, a_itemsize, b_itemsize):
    a_bytes = {place * a_itemsize + i for place in geo.offsets(a) for i in range(a_itemsize)}
    b_bytes = {place * b_itemsize + i for place in geo.offsets(b) for i in range(b_itemsize)}
    verdict = geo.memory_overlap(a, a_itemsize, b, b_itemsize)
    assert verdict == geo.memory_overlap(b, b_itemsize, a, a_itemsize)
    if verdict == "no":
        assert not a_bytes & b_bytes
    elif verdict == "full":
        assert a_bytes == b_bytes
    elif verdict == "partial":
        assert a_bytes & b_bytes


# --- views of the same elements ---


def shapes_of(count: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes with this many elements."""

    def divide(draw) -> tuple[int, ...]:
        shape, rest = [], count
        for _ in range(draw(st.integers(0, 3))):
            d = draw(st.sampled_from([d for d in range(1, rest + 1) if not rest % d] or [0, 1, 2]))
            shape.append(d)
            rest = rest // d if d else rest
        return (*shape, rest)

    return st.composite(divide)()


@given(geometries(), st.data())
def test_a_view_reads_the_same_elements_in_the_same_order(g, data):
    shape = data.draw(shapes_of(geo.numel(g.size)))
    seen = geo.view(g, shape)
    if isinstance(seen, Reason):
        assert seen.rule in ("view.span", "shape.count")
    else:
        assert seen.size == shape
        assert places(seen) == places(g)


@given(geometries(smallest=1), st.data())
def test_a_view_is_refused_only_when_no_strides_could_do_it(g, data):
    shape = data.draw(shapes_of(geo.numel(g.size)))
    seen = geo.view(g, shape)
    if isinstance(seen, Reason):
        found = np.array(places(g)).reshape(shape)
        first = (0,) * len(shape)
        stride = [
            int(found[(*first[:dim], 1, *first[dim + 1 :])] - found[first]) if n > 1 else 0
            for dim, n in enumerate(shape)
        ]
        assert places(Geometry(shape, tuple(stride), g.offset)) != places(g)


@given(geometries(), st.data())
def test_the_two_dimensions_blamed_are_the_ones_that_do_not_merge(g, data):
    seen = geo.view(g, data.draw(shapes_of(geo.numel(g.size))))
    if isinstance(seen, Reason) and seen.rule == "view.span":
        outer, inner = seen.facts["dims"]
        assert outer < inner and set(g.size[outer + 1 : inner]) <= {1}
        assert seen.facts["wanted"] == g.size[inner] * g.stride[inner] != g.stride[outer]
        assert seen.facts["found"] == g.stride[outer]


@given(geometries(min_dims=1), st.data())
def test_any_order_of_dimensions_reads_the_same_elements(g, data):
    dims = data.draw(st.permutations(range(len(g.size))))
    turned = geo.permute(g, dims)
    assert geo.reads(turned) == geo.reads(g)
    back = geo.permute(turned, [dims.index(dim) for dim in range(len(dims))])
    assert back == g
    assert geo.transpose(geo.transpose(g, 0, -1), -1, 0) == g
    assert geo.reverse_dims(geo.reverse_dims(g)) == g
    assert geo.movedim(geo.movedim(g, 0, -1), -1, 0) == g


@given(geometries(), st.data())
def test_what_unsqueeze_puts_in_squeeze_takes_out(g, data):
    dim = data.draw(st.integers(-len(g.size) - 1, len(g.size)))
    wider = geo.unsqueeze(g, dim)
    assert geo.squeeze(wider, dim) == g
    assert places(wider) == places(g)


@given(geometries(min_dims=1, smallest=1), st.data())
def test_what_unflatten_splits_flatten_merges(g, data):
    dim = data.draw(st.integers(0, len(g.size) - 1))
    sizes = data.draw(shapes_of(g.size[dim]))
    split = geo.unflatten(g, dim, sizes)
    assert places(split) == places(g)
    merged = geo.flatten(split, dim, dim + len(sizes) - 1)
    assert merged.size == g.size
    assert places(merged) == places(g)


# --- views of a part ---


@given(geometries(min_dims=1), st.data())
def test_parts_stay_inside_the_whole(g, data):
    dim = data.draw(st.integers(-len(g.size), len(g.size) - 1))
    n = g.size[dim]
    ends = st.none() | st.integers(-6, 6)
    part = geo.slice(g, dim, data.draw(ends), data.draw(ends), data.draw(st.integers(1, 3)))
    assert inside(part, g)
    assert inside(geo.diagonal(geo.unsqueeze(g, 0), data.draw(st.integers(-4, 4)), 0, -1), g)
    size = data.draw(st.integers(0, n))
    assert inside(geo.unfold(g, dim, size, data.draw(st.integers(1, 3))), g)
    start = data.draw(st.integers(0, n))
    assert inside(geo.narrow(g, dim, start, data.draw(st.integers(0, n - start))), g)
    if n:
        assert inside(geo.select(g, dim, data.draw(st.integers(-n, n - 1))), g)


@given(geometries(min_dims=1), st.data())
def test_a_slice_is_what_a_list_gives(g, data):
    ends = st.none() | st.integers(-6, 6)
    start, stop, step = data.draw(ends), data.draw(ends), data.draw(st.none() | st.integers(1, 3))
    rows = [places(piece) for piece in geo.unbind(g)]
    cut = geo.slice(g, 0, start, stop, step)
    assert [places(piece) for piece in geo.unbind(cut)] == rows[start:stop:step]


@given(geometries(min_dims=1), st.data())
def test_pieces_together_are_the_whole(g, data):
    dim = data.draw(st.integers(0, len(g.size) - 1))
    n = g.size[dim]
    count = data.draw(st.integers(1, 5))
    cut = sorted(data.draw(st.lists(st.integers(0, n), max_size=3)))
    lengths = [b - a for a, b in zip([0, *cut], [*cut, n], strict=True)]
    for pieces in (
        geo.split(g, count, dim),
        geo.split(g, lengths, dim),
        geo.chunk(g, count, dim),
        geo.tensor_split(g, count, dim),
        geo.tensor_split(g, cut, dim),
    ):
        slabs = [slab for piece in pieces for slab in geo.unbind(piece, dim)]
        assert slabs == list(geo.unbind(g, dim))


@given(geometries(), st.data())
def test_expand_reads_nothing_new(g, data):
    shape = [data.draw(SIZES) if n == 1 else data.draw(st.sampled_from([-1, n])) for n in g.size]
    shape = data.draw(st.lists(SIZES, max_size=2)) + shape
    wide = geo.expand(g, shape)
    assert inside(wide, g)
    assert 0 in wide.size or set(places(wide)) == set(places(g))


@given(geometries(), st.integers(0, 60), st.sampled_from([1, 2, 4, 8]))
def test_as_strided_accepts_exactly_what_storage_holds(g, elements, itemsize):
    window = geo.as_strided(Geometry((), (), 0), g.size, g.stride, g.offset, elements * itemsize, itemsize)
    fits = max(places(g), default=-1) < elements
    assert isinstance(window, Reason) != fits
    assert not fits or window == g


# --- other widths ---


@given(geometries(min_dims=1))
def test_narrower_elements_and_back(g):
    g = Geometry((*g.size, 3), (*[step * 3 for step in g.stride], 1), g.offset)
    bytewise = geo.view_dtype(g, 4, 1)
    assert set(places(bytewise)) == {place * 4 + i for place in geo.offsets(g) for i in range(4)}
    assert geo.view_dtype(bytewise, 1, 4) == g


@given(geometries())
def test_complex_numbers_are_pairs_of_real_ones(g):
    real = geo.view_as_real(g)
    assert geo.view_as_complex(real) == g
    assert places(geo.real_part(g)) == places(real)[::2]
    assert places(geo.imag_part(g)) == places(real)[1::2]


# --- shapes ---


@given(st.lists(st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=4).map(tuple), min_size=1, max_size=4))
def test_broadcast_agrees_with_numpy(sizes):
    ours = geo.broadcast(*sizes)
    verdict = geo.broadcast_verdict(*sizes)
    try:
        assert ours == np.broadcast_shapes(*sizes)
        assert "clash" not in verdict and len(verdict) == len(ours)
    except ValueError:
        assert isinstance(ours, Reason)
        assert verdict[ours.facts["from_end"]] == "clash"
        assert ours.facts["dim"] - ours.facts["from_end"] <= len(verdict)


@given(geometries(max_dims=5))
def test_fresh_results_are_dense(g):
    kept = geo.preserve_stride(g.size, g.stride)
    assert geo.is_non_overlapping_and_dense(g.size, kept)
    assert geo.preserve_stride(g.size, kept) == kept
    made = geo.pointwise_stride(g.size, [(g.size, g.stride)])
    assert geo.is_non_overlapping_and_dense(g.size, made)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.data())
def test_fresh_results_keep_the_order_of_a_dense_input(size, data):
    order = data.draw(st.permutations(range(len(size))))
    stride = [0] * len(size)
    for place, dim in enumerate(order):
        stride[dim] = prod(size[d] for d in order[place + 1 :])
    assert geo.preserve_stride(tuple(size), tuple(stride)) == tuple(stride)
    steps = geo.pointwise_stride(tuple(size), [(tuple(size), tuple(stride)), ((), ())])
    assert [step for step, n in zip(steps, size, strict=True) if n > 1] == [
        step for step, n in zip(stride, size, strict=True) if n > 1
    ]
