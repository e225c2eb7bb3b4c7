"""An array that is an image is shown as one, with its own pixels; all else stays a table."""

from __future__ import annotations

from base64 import b64decode

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.drawing.png import read
from tensorwidgets.pictures.memory.image import BATCH, CHANNELS, SAMPLES, axes_of
from tests.pictures.parsed import keys, parse


def shown(picture: Picture, channels: int = 3) -> list[np.ndarray]:
    """The pixels of each picture in it, read back from the PNG."""
    images = parse(picture.html()).all("img")
    found = []
    for image in images:
        data = b64decode(image.attributes["src"].removeprefix("data:image/png;base64,"))
        rows = [np.frombuffer(line, np.uint8).reshape(-1, channels) for line in read(data)]
        found.append(np.stack(rows))
        high, wide = found[-1].shape[:2]
        assert (image.attributes["width"], image.attributes["height"]) == (str(wide), str(high))
        assert "pixels" in image.attributes["alt"]
    return found


def pixels(high: int, wide: int, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(high * wide).integers(0, 256, (high, wide, channels), dtype=np.uint8)


def repeated(sampled: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Each pixel as often as it is shown."""
    times = like.shape[0] // sampled.shape[0]
    return sampled.repeat(times, 0).repeat(times, 1)


@pytest.mark.parametrize("size", [(16, 16), (16, 300), (64, 48), (192, 192), (193, 20), (512, 512), (1000, 700)])
@pytest.mark.parametrize("channels", [3, 4])
def test_the_pixels_are_the_arrays_own(size: tuple[int, int], channels: int) -> None:
    image = pixels(*size, channels)
    every = -(-max(size) // SAMPLES)
    wanted = image[::every, ::every]
    for array in (image, image / 255, (image / 255).astype(np.float32), image.transpose(2, 0, 1), image[::-1, ::-1]):
        picture = show(array, labels=["x"])
        (found,) = shown(picture, channels)
        expected = wanted if array.strides[0] > 0 else image[::-1, ::-1][::every, ::every]
        assert (found == repeated(expected, found)).all()
        text = repr(picture)
        high, wide = size
        assert f"shown as an image of {high:,} × {wide:,} pixels, red, green, blue" in text
        assert array.dtype.name in text and f"stride {tuple(s // array.itemsize for s in array.strides)}" in text
        assert ("every" in text.split("pixels")[1].split("\n")[0]) == (every > 1)


def test_a_batch_shows_its_first_images() -> None:
    batch = np.stack([pixels(20, 30), *[pixels(20, 30) // n for n in range(2, 10)]])
    for array in (batch, batch.transpose(0, 3, 1, 2)):
        picture = show(array, labels=["x"])
        found = shown(picture)
        assert len(found) == BATCH
        for image, true in zip(found, batch, strict=False):
            assert (image == repeated(true, image)).all()
        assert f"shown as {BATCH} of 9 images of 20 × 30 pixels" in repr(picture)
    assert "shown as one image of 20 × 30 pixels" in repr(show(batch[:1], labels=["x"]))


def test_the_first_pixels_are_drawn_as_numbers_in_each_channel() -> None:
    image = pixels(40, 50)
    for array in (image, np.ascontiguousarray(image.transpose(2, 0, 1))):
        (table,) = parse(show(array, labels=["x"]).html()).all("table", "tw-view")
        cells = [td for td in table.all("td") if keys(td)]
        corner = image[:4, :5].transpose(2, 0, 1)
        assert [int(td.text()) for td in cells] == corner.ravel().tolist()
        flat = array.ravel()
        assert all(flat[keys(td)[0][1]] == int(td.text()) for td in cells)
        channels = [caption.all("b")[0].text() for caption in table.all("caption")[1:]]
        assert channels == ["red", "green", "blue"]


def test_what_is_no_image_stays_a_table() -> None:
    image = pixels(64, 64)
    others = {
        "small": np.arange(24, dtype=np.uint8).reshape(2, 3, 4),
        "five channels": pixels(64, 64, 5),
        "whole numbers": image.astype(np.int64),
        "normalised": image / 127.5 - 1,
        "not a number": np.where(image > 250, np.nan, image / 255),
        "grey": image[..., 0],
        "empty": np.zeros((0, 64, 3), np.uint8),
    }
    for name, array in others.items():
        assert "shown as" not in repr(show(array, labels=["x"])), name
    assert "shown as" not in repr(show(image, labels=["x"], image=False))


def test_images_of_any_library_and_beside_other_views() -> None:
    image = pixels(32, 32)
    ours = tw.tensor(image.tolist(), dtype=tw.uint8)
    (found,) = shown(show(ours, labels=["x"]))
    assert (found == repeated(image, found)).all()
    picture = show(image, image.transpose(1, 0, 2), image.reshape(-1)[:6], labels=["x", "turned", "first"])
    found = shown(picture)
    assert len(found) == 2 and (found[1] == repeated(image.transpose(1, 0, 2), found[1])).all()


def test_an_image_stays_small_and_reads_only_samples() -> None:
    huge = np.lib.stride_tricks.as_strided(np.zeros(3, np.uint8), (1 << 20, 1 << 20, 3), (0, 0, 1))
    assert "shown as an image of 1,048,576 × 1,048,576 pixels" in repr(show(huge, labels=["x"]))
    for size in ((512, 512), (4000, 3000)):
        assert len(show(pixels(*size), labels=["x"]).html()) < 200_000
    assert len(show(np.zeros((512, 512, 3), np.uint8), labels=["x"]).html()) < 60_000


def layouts(image: np.ndarray) -> dict[str, np.ndarray]:
    """One image in the ways that memory holds it."""
    planes = np.ascontiguousarray(image.transpose(2, 0, 1))
    return {
        "pixels": image, "planes": planes, "planes of a view": image.transpose(2, 0, 1),
        "batch": np.stack([planes, planes]), "batch of pixels": np.stack([image, image]),
        "backwards": image[:, :, ::-1], "planes backwards": planes[::-1],
    }  # fmt: skip


@pytest.mark.parametrize("channels", [3, 4])
def test_the_bars_say_where_the_colours_are(channels: int) -> None:
    names = "RGBA"[:channels]
    for name, array in layouts(pixels(16, 20, channels)).items():
        axis = axes_of(array.shape).channel  # type: ignore[union-attr]
        picture = show(array, labels=["x"])
        html, text = parse(picture.html()), repr(picture)
        (lens,) = html.all("table", "tw-storage")
        *_, marks, letters = lens.all("tr")
        shown = [(mark.text(), letter.text()) for mark, letter in zip(marks.all("td"), letters.all("td"), strict=True)]
        assert len(shown) == 12 and all(letter in names for _, letter in shown), name
        indices = [(mark.split(","), letter) for mark, letter in shown if "," in mark]
        assert len(indices) >= 6, name
        assert all(names[int(index[axis])] == letter for index, letter in indices), name
        assert f"colour {' '.join(letter for _, letter in shown)}" in " ".join(text.split()), name
        assert f": {', '.join(CHANNELS[:channels])}" in text, name

        teeth = [tooth.text() for comb in html.all("div", "tw-comb") for tooth in comb.all("div")]
        drawn = "".join(letter for letter in teeth if letter in [*names])
        assert drawn in ("", names, names[::-1]), name
        if name.startswith(("planes", "batch")) and name not in ("planes of a view", "batch of pixels"):
            assert drawn, name


def test_what_is_no_image_has_no_colours() -> None:
    numbers = np.arange(16 * 20 * 3).reshape(16, 20, 3)
    grey = np.broadcast_to(pixels(16, 20)[:, :, :1], (16, 20, 3))
    for array, image in ((numbers, True), (pixels(16, 20), False), (grey, True)):
        assert "colour R" not in " ".join(repr(show(array, labels=["x"], image=image)).split())


@pytest.mark.torch
def test_images_of_pytorch() -> None:
    import torch

    image = pixels(32, 40)
    for tensor in (
        torch.from_numpy(image),
        torch.from_numpy(image).permute(2, 0, 1),
        torch.from_numpy(image).permute(2, 0, 1)[None].contiguous(memory_format=torch.channels_last).float() / 255,
    ):
        (found,) = shown(show(tensor, labels=["x"]))
        assert (found == repeated(image, found)).all()
