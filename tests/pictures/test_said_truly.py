"""Words and values of pictures that were false, cut or silent."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.graphs.tape import nodes_behind
from tensorwidgets.pictures.arrays.values import full, short
from tensorwidgets.pictures.memory.census import census, change
from tensorwidgets.pictures.memory.lines import Watch
from tensorwidgets.pictures.memory.memory import memory
from tensorwidgets.pictures.parts.scale import Scale, tick_text
from tests.pictures.parsed import cells, parse


def told(array: np.ndarray) -> tuple[list[str], list[str], str]:
    """The cells of an array's view, what each says on hover, and the text twin."""
    picture = show(array, labels=["x"])
    (table,) = parse(picture.html()).all("table", "tw-view")
    found = cells(table)
    return [td.text() for td in found], [td.attributes["title"] for td in found], repr(picture)


def test_complex_numbers_are_told_whole() -> None:
    seen, said, text = told(np.array([-0.5j, 3.14159 - 2.71828j, 1 + 2j]))
    assert seen == ["-0 -0.5j", "3.142 -2.7j", "1+2j"]
    assert said[1].endswith("holds 3.14159-2.71828j") and "3.14159-2.71828j" in text
    assert said[0].endswith("holds -0-0.5j") and "-0-0.5j" in text and "holds" not in said[2]


@pytest.mark.parametrize("seed", range(5))
def test_whole_values_read_back_as_the_numbers(seed: int) -> None:
    dice = np.random.default_rng(seed)
    numbers = dice.standard_normal(40) * 10.0 ** dice.integers(-20, 20, 40)
    for value in [*numbers.tolist(), *(numbers[:20] + 1j * numbers[20:]).tolist()]:
        assert type(value)(full(value) or short(value)) == value


def test_dates_and_lengths_of_time() -> None:
    seen, said, text = told(np.array(["2024-01-15", "NaT"], "M8[D]"))
    assert seen == ["2024- 01-15", "NaT"] and "2024-01-15" in text and said[0].endswith("holds 2024-01-15")
    seen, said, text = told(np.array(["2024-01-15T12:30"], "M8[ns]"))
    assert seen == ["2024- 01-15…"] and "2024-01-15T12:30:00.000000000" in text and "ns" in text
    assert told(np.array([1, 2], "m8[D]"))[0] == ["1 days", "2 days"]
    assert told(np.array([3], "m8[ns]"))[2].count("3 nanoseconds") == 2


def test_texts_and_records() -> None:
    seen, said, text = told(np.array(["hello world", "b"]))
    assert "text of 11 characters" in text and "hello world" in text and said[0].endswith("holds hello world")
    seen, said, text = told(np.array([(1, 2.5), (3, 4.25)], [("x", "i4"), ("y", "f8")]))
    assert "record of x and y" in text and "(1, 2.5)" in text and said[1].endswith("holds (3, 4.25)")
    assert "text of 4 bytes" in told(np.array([b"abcd"]))[2]


def test_a_mask_is_seen() -> None:
    masked = np.ma.masked_array([1, 2, 3], [0, 1, 0])
    seen, said, text = told(masked)
    assert seen == ["1", "·", "3"] and "(·)" in text
    assert said[1].endswith("masked: the 2 there does not count") and "A dot is masked" in text
    assert told(masked[::2])[0] == ["1", "3"] and "masked" not in told(masked[::2])[2]
    assert "masked" not in told(np.ma.masked_array([1, 2]))[2]
    assert "+ 2" not in repr(show.broadcast(masked, 1, labels=["m", "n"]))
    large = np.ma.masked_array(np.zeros((99, 99)), np.eye(99))
    assert "99 grey samples" in repr(show(large[::3], labels=["x"])) or "grey samples" in repr(
        show(large, labels=["x"])
    )


def test_promotion_and_broadcast_name_one_type() -> None:
    a, b = np.ones((3, 1), "f4"), np.ones((1, 4), "i8")
    assert "(meet in float64 in NumPy, in float32 in PyTorch)" in repr(show.promotion(a, b, labels=["a", "b"]))
    assert "a storage of its own, float64" in repr(show.broadcast(a, b, labels=["a", "b"]))
    ours = show.promotion(tw.ones(3, 1), tw.ones(1, 4, dtype=tw.int64), labels=["a", "b"])
    assert "(meet in float32)" in repr(ours)
    assert "(meet in float32)" in repr(show.promotion("float32", "int64"))


def test_labels_that_begin_alike_stay_apart() -> None:
    names = ["np.arange(3.0)[:, None]", "np.arange(4.0)"]
    for picture in (
        show.broadcast(np.arange(3.0)[:, None], np.arange(4.0), labels=names),
        show.broadcast(np.zeros((3, 4)), np.zeros(3), labels=names),
        show(np.arange(12.0)[2:], np.arange(9.0), labels=["np.arange(12.0)[2:][...]", "np.arange(12.0)[3:]"]),
    ):
        html = picture.html()
        assert "np.ar…" not in html and "np.arange(12.0)[2:…" not in html


def test_a_meta_tensor_says_what_its_cells_hold() -> None:
    assert "Each cell holds its place" in repr(show(tw.empty(3, 4, device="meta"), labels=["m"]))
    text = repr(show(tw.empty(512, 1024, device="meta"), labels=["m"]))
    assert "Each cell holds" not in text and "A place has too many digits for a cell" in text
    assert "(1.2e5)" not in repr(show(tw.empty(1000, 1000, device="meta")[::500, ::500], labels=["m"]))


def test_a_refused_view_shows_its_jumps_and_tells_its_error_once() -> None:
    text = repr(show.steps("x.t().view(-1)", x=tw.arange(12).view(3, 4)))
    assert text.count("view size is not compatible") == 1
    assert "0 (+4) 4 (+4) 8 (-7) 1 (+4) 5 …" in text


@pytest.mark.torch
def test_a_view_that_pytorch_refuses_is_told_as_ours_is() -> None:
    import torch

    text = repr(show.steps("x.t().view(-1)", x=torch.arange(12).view(3, 4)))
    assert text.count("view size is not compatible") == 1 and "0 (+4) 4 (+4) 8 (-7) 1 (+4) 5 …" in text
    assert "that needs stride 3 * 4 = 12 in dimension 0, which has 1" in text


def test_what_cannot_be_drawn_is_named() -> None:
    with pytest.raises(TypeError, match=r"not an int$"):
        show(3)

    class Model(SimpleNamespace):
        """A thing that holds arrays."""

    with pytest.raises(TypeError, match=r"not a Model; show.memory\(x=...\) lists the 2 arrays inside it"):
        show(Model(a=np.ones(2), b=[np.ones(3)]))


def test_what_an_image_of_values_shows() -> None:
    text = repr(show(np.arange(768).reshape(96, 8), labels=["x"]))
    assert "one row in every 2 and every column, from 0 (pale) to 759 (deep)" in text


def test_a_name_that_belongs_to_rows_is_told_so() -> None:
    text = repr(show.broadcast(np.zeros((3, 4)), np.zeros(3), labels=["p", "q"]))
    assert "q belongs to the rows: (3, 1) stretches to (3, 4)." in text


def test_values_beyond_a_ladder_are_not_printed_over_each_other() -> None:
    x = tw.linspace(-8, 4, 12)
    html = show(x, tw.quantize_per_tensor(x, 0.02, 128, tw.quint8), labels=["x", "q"]).html()
    labels = [e for e in parse(html).all("div") if e.style.get("position") == "absolute" and e.words]
    places = [(e.style["left"], e.style["top"]) for e in labels]
    assert len(places) == len(set(places))
    assert {"5 to◀", "-8", "▶2 to", "4"} <= {e.words for e in labels}


def test_a_file_in_memory_is_called_one(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((3, 4)))
    text = repr(show(np.load(tmp_path / "x.npy", mmap_mode="r"), labels=["x"]))
    assert "Storage A is mapped from a file; x begins at byte 128 of the mapping, behind" in " ".join(text.split())
    assert "mapped from a file" not in repr(show(np.zeros(3), labels=["x"]))


def test_a_count_does_not_stand_among_indices() -> None:
    (heads,) = [line for line in repr(show(np.zeros((20, 2000)), labels=["x"])).splitlines() if line.endswith(" 1999")]
    assert heads.split() == ["0", "1", "2", "3", "4", "5", "…", "1994", "1995", "1996", "1997", "1998", "1999"]


def test_an_image_of_values_says_which_part_of_many_dimensions_it_shows() -> None:
    q = np.arange(4 * 32 * 64).reshape(4, 32, 8, 8).transpose(0, 2, 1, 3)
    assert "every value of [0, 0, :, :], from 0 (pale) to 1991 (deep)" in " ".join(repr(show(q, labels=["q"])).split())
    table = repr(show(np.arange(4096).reshape(64, 64), labels=["x"]))
    assert "one row in every 2 and every column, from 0 (pale) to 4031 (deep)" in table


def test_an_image_of_one_value_says_which() -> None:
    assert "one column in every 2, all 0" in " ".join(repr(show(np.zeros((100, 100)), labels=["x"])).split())
    broken = " ".join(repr(show(np.full((100, 100), np.nan), labels=["x"])).split())
    assert "one column in every 2; 1,700 grey samples are masked or no finite number" in broken


@pytest.mark.parametrize("label, said", [("x + 1", "(x + 1)[1, 2]"), ("x.t()", "x.t()[1, 2]"), ("-x", "(-x)[1, 2]")])
def test_an_index_belongs_to_all_of_an_expression(label: str, said: str) -> None:
    """`x + 1[1, 2]` would be an index into the 1."""
    picture = show(np.arange(12.0).reshape(3, 4), labels=[label])
    assert f"\n{said.replace('2]', '3]')}: offset" in repr(picture) and f'title="{said} |' in picture.html()
    large = show(np.zeros((100, 100)), labels=[label])
    assert f"\n{said.partition('[')[0]}[1, 3]: offset" in repr(large)
    sparse = show(tw.tensor([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0]]).to_sparse(), labels=[label])
    assert f'title="{said} |' in sparse.html()


def test_a_count_of_reads_fits_its_cell() -> None:
    """The pill has a few letters, and the line behind it has all of them."""
    picture = show(np.broadcast_to(np.zeros(1), (1000, 1024)), labels=["x"])
    pills = [e.words for e in parse(picture.html()).all("span") if e.words.startswith("×")]
    assert pills == ["×1M+"] and "1 of 1, each ×1,024,000" in picture.html()


def test_a_refusal_ends_before_its_ways_out() -> None:
    (_, after) = repr(show.steps("y.t()", x=np.zeros(3))).split("NameError: ")
    assert "the name 'y' is unknown. Ways out:" in " ".join(after.split())


def freed(bytes_left: int) -> tw.Tensor:
    """A tensor of four numbers whose storage was made smaller, as a library does that shares out its weights."""
    x = tw.ones(4)
    x.untyped_storage().resize_(bytes_left)
    return x


@pytest.mark.parametrize("left", [0, 8])
def test_a_freed_storage_is_said_to_be_one(left: int) -> None:
    with pytest.raises(TypeError, match=f"reads up to byte 16, and its storage has {left} bytes: it was freed or made"):
        show(freed(left))
    assert "x" in repr(show.memory(x=freed(left))).splitlines()[2]  # a list of what is alive leaves nothing out


class Foreign:
    """A node as PyTorch's, which was not made here."""

    def __init__(self, *behind: Foreign) -> None:
        self.next_functions = tuple((one, 0) for one in behind)


def test_a_graph_that_pytorch_would_crash_on_is_refused() -> None:
    node = Foreign()
    for _ in range(20_000):
        node = Foreign(node)
    with pytest.raises(ValueError, match=r"more than 20,000 nodes\. PyTorch frees .* Draw the graph of one step"):
        nodes_behind([node])
    short = Foreign(Foreign())
    assert len(nodes_behind([short])) == 2 and len(nodes_behind([node], 10)) == 11
    while node.next_functions:  # freed one after the other
        node = node.next_functions[0][0]


def test_a_long_index_has_room_beside_its_row() -> None:
    html = show(np.broadcast_to(np.zeros(1), (10**6, 3)), labels=["x"]).html()
    (table,) = parse(html).all("table", "tw-view")
    assert int(table.all("col")[0].style["width"].removesuffix("px")) >= 6 * 7


def test_a_meta_tensor_takes_no_memory() -> None:
    names = {"a": tw.ones(3), "d": tw.empty(10**6, 10**5, device="meta")}
    text = repr(show.memory(names))
    assert "(2 names, 2 storages, 12 bytes, and 400.0 GB planned on meta)" in text
    assert "400.0 GB planned, none there" in text and "B 400.0 GB planned" in text and "all 400" not in text
    assert "is a plan: it takes no memory" in repr(show.memory(d=names["d"]))
    model = tw.nn.Linear(1000, 1000, device="meta")
    assert "(3 names, 3 storages, 12 bytes, and 4.0 MB planned on meta)" in repr(show.memory(m=model, a=names["a"]))
    before = census(names)
    del names["d"]
    names["e"] = tw.empty(5, device="meta")
    after = census(names)
    told = repr(memory(after, change(before, after)))
    assert "allocated B (20 bytes planned) for e" in told and "free again" not in told


def test_lines_of_a_cell_plan_on_meta() -> None:
    names = {"tw": tw, "m": tw.empty(10**6, device="meta")}
    source = "y = tw.empty(1000, 1000, device='meta')\nx = tw.ones(5)\ndel m"
    watch = Watch(lambda: {name: value for name, value in names.items() if name not in ("tw", "__builtins__")})

    def run_one(statement: ast.stmt) -> None:
        exec(compile(ast.Module([statement], []), "cell", "exec"), names)

    watch.run(ast.parse(source), source, run_one, names)
    after, changed = watch.finish()
    told = repr(memory(after, changed, {}, source, watch.trace()))
    assert "peak 20 bytes in line 2, 20 bytes after it" in told and "allocated A (4.0 MB planned) for y" in told
    assert "freed" not in told.partition("what it did to memory")[2]


def test_names_that_are_not_told_are_counted() -> None:
    x = np.arange(100.0)
    text = repr(show.memory({f"v{i}": x[i:] for i in range(50)}))
    assert "v0: v1, v2, v3, v4, v5, v6, v7 and 42 more names read the same storage A" in text


def test_parameters_on_meta_have_no_size_to_compare() -> None:
    model = tw.nn.Linear(1000, 1000, device="meta")
    text = repr(show.flow(model, labels=["m"]))
    assert "m: is on meta: a parameter there has a size, and no numbers" in text and " 0 " not in text.split("\n", 1)[1]
    model(tw.ones(2, 1000, device="meta")).sum().backward()
    assert "dead" not in repr(show.flow(model, labels=["m"]))


def test_nearly_all_is_not_all() -> None:
    model = tw.nn.Sequential(tw.nn.Linear(1000, 1000, device="meta"), tw.nn.Linear(1000, 1, device="meta"))
    assert "holds more than 99 % of the parameters: 1,001,000 of 1,002,001" in repr(show.module(model, labels=["m"]))


def test_a_list_of_parameters_is_told_once() -> None:
    text = repr(show.module(tw.nn.ParameterList([tw.ones(3), tw.ones(2)]), labels=["m"]))
    assert "Parameter containing" not in text and "0 (3,), 1 (2,)" in text


def test_losses_of_any_size_have_an_axis() -> None:
    assert "lowest 1e-300 at step 2" in repr(show.training([1e300, 1e-300, 1.0], labels=["r"]))
    assert "lowest -1e308 at step 2" in repr(show.training([1e308, -1e308, 1.0], labels=["r"]))
    for numbers in (
        [1e-30 / k for k in range(1, 30)],
        [5e-324, 1e308],
        [1.7e308, 1.7e308],
        [-1e308, 1e308],
        [1e-9, 2e-9],
    ):
        ticks = Scale.over(numbers).ticks(5)
        assert len(set(map(tick_text, ticks))) == len(ticks) > 1


def test_a_promised_sign_is_told() -> None:
    z = tw.tensor([1 + 2j, 2 - 1j])
    conjugated = " ".join(repr(show(z.conj(), labels=["z"])).split())
    assert "z is read conjugated: what lies here is drawn, and its imaginary parts have the other sign." in conjugated
    assert "its numbers have the other sign" in " ".join(repr(show(z.conj().imag, labels=["z"])).split())
    assert "other sign" not in repr(show(z, labels=["z"]))


def test_a_meta_tensor_beside_others_is_planned() -> None:
    picture = show(tw.ones(3), tw.empty(2, device="meta"), labels=["x", "m"])
    assert "8 bytes planned, tensorwidgets, meta" in repr(picture) and "?" not in repr(picture)
    assert "A dotted storage is planned: a meta tensor has no memory." in " ".join(repr(picture).split())


def test_bytes_and_records_are_spelled() -> None:
    seen, said, text = told(np.array([b"\x00\xff", b"abc"]))
    assert seen == ["\\x00…", "abc"] and said[0].endswith("holds \\x00\\xff") and "\\x00\\xff" in text
    assert told(np.zeros(1, "V5"))[0] == ["\\x00…"]
    seen, said, _ = told(np.zeros(1, [("pos", "f4", (2,)), ("id", "u1")]))
    assert seen == ["([0.…"] and said[0].endswith("holds ([0.0, 0.0], 0)")


def test_an_odd_place_is_counted_in_bytes() -> None:
    x = np.frombuffer(b"\0" + np.arange(4.0).tobytes(), dtype="f8", offset=1)
    assert "from byte 1" in show(x, labels=["x"]).html() and "stride (8,), byte 1" in repr(show(x, labels=["x"]))
