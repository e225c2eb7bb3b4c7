"""What all explorers share: traits, redrawing, predicting, the static twin.

An explorer keeps its state in traits that accept any value. From these it makes a scene and a list of controls, and
sends both to the browser in one message. An invalid state is drawn as well, with its reason.

Threads take turns (see `alone`), and a question that arrives behind a later one of its page is not answered any more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeGuard

import anywidget
import traitlets as t

from ..engine.errors.reasons import Reason
from ..pictures.drawing.html import escape
from ..pictures.drawing.inline import words
from ..pictures.drawing.picture import Picture
from ..pictures.drawing.scene import Block, Gap, Note, Sentence, Title
from .alone import alone
from .controls import Button, Control, Text
from .hosts import answers, seats
from .module import module
from .saving import TWIN, note, seat_of, seated

__all__ = ["Explorer", "agrees", "answers", "refusal"]

LIVE_TO_USE = "Run this cell to use them."
PAGES = 16
"""Of how many pages an explorer remembers what it answered: those that asked last."""


class Explorer(anywidget.AnyWidget):
    """A picture with controls. `w.reason` says why the state is invalid, or is None."""

    _esm = module()

    html = t.Unicode().tag(sync=True)
    controls: Any = t.List().tag(sync=True)
    status = t.Unicode().tag(sync=True)
    pinned = t.Unicode().tag(sync=True)
    sheet = t.Dict().tag(sync=True)
    cells = t.Bytes().tag(sync=True)
    memory = t.Bytes().tag(sync=True)
    hands = t.Dict().tag(sync=True)
    answered: Any = t.Dict().tag(sync=True)
    """The number of the last question of each page that this state answers."""
    turn = t.Int().tag(sync=True)
    """How many pictures there were: a page that missed one asks for the whole state."""
    seat = t.Unicode().tag(sync=True)
    below = t.Bool(False).tag(sync=True)
    """Whether the controls are below the picture, as answers are below their question."""

    selected = t.Any("", help="The cell that is pinned, by its name in the picture: 'x[1, 2]'.")
    predict = t.Any(False, help="Whether to ask first and to show after a guess.")
    answer = t.Any("", help="What was guessed.")

    STATE: ClassVar[tuple[str, ...]] = ()
    """The traits that make up the state of this explorer."""
    _settable: ClassVar[frozenset[str]] = frozenset()
    """The traits that are set from outside: by a program, and by widgets that are linked to them."""

    def __init_subclass__(cls, **more: Any) -> None:
        """The state goes to the browser, too, so that `jslink` can join it with other widgets."""
        super().__init_subclass__(**more)
        cls._settable = frozenset((*cls.STATE, "selected", "predict", "answer"))
        for name in cls._settable:
            getattr(cls, name).tag(sync=True, to_json=_sent)

    def __init__(self) -> None:
        self.reason: Reason | None = None
        self._still = 0
        self._asked_about = ""
        self._sought = self._shown_live = False
        self.picture = Picture([])
        super().__init__()
        self.on_msg(self._received)
        self.observe(self._set, list(self._settable))

    # -- what an explorer says of itself -------------------------------------------------------------

    def _scene(self) -> Sequence[Block]:
        """The blocks to draw. Sets `self.reason` if the state is invalid."""
        raise NotImplementedError

    def _controls(self) -> list[Control]:
        raise NotImplementedError

    def _status_text(self) -> str:
        """The state in one sentence, for screen readers."""
        raise NotImplementedError

    def _moved(self, name: str, value: Any) -> None:
        """A control was moved."""
        raise NotImplementedError

    def _changed(self, names: Sequence[str]) -> None:
        """Traits of the state were set from Python: updates what depends on them."""

    def _quiz(self) -> tuple[str, str] | None:
        """A question about this state and its answer, as the user would type it; None without a question."""
        return None

    def _covered(self) -> Sequence[Block]:
        """The blocks to draw before the guess."""
        return []

    # -- one thread at a time ------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._settable:
            return super().__setattr__(name, value)
        with self.hold_sync():  # the value and its picture are one message
            super().__setattr__(name, value)

    @contextmanager
    def hold_sync(self) -> Iterator[None]:
        with alone(), super().hold_sync():
            yield

    def open(self) -> None:
        """ipykernel sends a question to the thread that spoke last, and so to one that runs a cell, where it would wait
        for the end of the cell: a training that draws. It is answered in the thread that the page asks for."""
        super().open()
        if hasattr(self.comm, "_reply_subshell_for"):
            self.comm._reply_subshell_for = lambda data, asked: asked

    def set_state(self, sync_data: dict[str, Any]) -> None:
        with alone():
            super().set_state(sync_data)

    def send_state(self, key: Any = None) -> None:
        with alone():
            super().send_state(key)

    # -- from state to picture -----------------------------------------------------------------------

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Draws one picture after several traits are set, and sends all of it in one message."""
        with self.hold_sync():
            self._still += 1
            try:
                yield
            finally:
                self._still -= 1
            if not self._still:
                self._redraw()

    def _set(self, change: Any) -> None:
        if self._still:
            return
        with self._at_once():
            self._sought = change["name"] == "selected"
            if change["name"] in self.STATE:
                self._changed([change["name"]])
        self._sought = False

    def _received(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
        """A message of the browser. On a busy machine it can get lost, arrive late or arrive twice."""
        question = content.get("asked")
        n = question.get("n") if isinstance(question, dict) else None
        if not isinstance(question, dict) or not isinstance(n, int):
            return
        page = str(question.get("page"))
        with alone():
            if n > self.answered.get(page, 0):
                self._heard(page, n, str(question.get("name")), question.get("value"))
            elif question.get("again") is True:
                self.send_state()  # it was answered, and the answer was lost

    def _heard(self, page: str, n: int, name: str, value: Any) -> None:
        """Handles a request of the browser and always replies."""
        value = value if isinstance(value, (str, int, float)) else None
        # One message: the picture, its controls, and which question they answer.
        with self.hold_sync():
            try:
                with self._at_once():
                    if name == "cell" and self._hidden() and (guess := self._pointed(str(value))):
                        self.answer = guess
                    elif name == "cell":
                        self._cell(str(value))
                    elif name == "guess":
                        self.answer = str(value)
                    elif name.startswith("guess "):
                        self.answer = name.removeprefix("guess ")
                    else:
                        self._moved(name, value)
            except Exception:
                self._redraw()  # an observer failed, and what was changed before is shown
                raise
            finally:
                others = [(one, last) for one, last in self.answered.items() if one != page]
                self.answered = dict([*others, (page, n)][-PAGES:])

    def _cell(self, name: str) -> None:
        """A cell was selected or deselected."""
        self.selected = name

    def _redraw(self) -> None:
        """Makes the picture of this state. Called while messages are held back."""
        self.reason = None
        quiz = self._quiz()
        if (quiz[0] if quiz else "") != self._asked_about:
            self._asked_about = quiz[0] if quiz else ""
            self._still += 1
            try:
                self.answer = ""
            finally:
                self._still -= 1
        hidden = self._hidden()
        blocks = steady(self._scene())
        if self.predict and quiz is not None:
            blocks = self._question(quiz, list(self._covered()) if hidden else blocks)
        self.picture = Picture(blocks)
        html = self.picture.html()
        name = str(self.selected)
        there = f'title="{escape(name)} | ' in html
        controls = [control.data() for control in (*self._controls(), *self._guessing(quiz))]
        self.turn += 1
        self.html = html
        self.controls = controls
        self.pinned = name if there and not hidden else ""
        self.status = self._asked_about if hidden else self._status(quiz)
        if self._sought and name and not there:
            self.status += f" No cell of this picture is called {name}."
        self._draw_sheet(bool(hidden))
        if self._shown_live:
            note(str(self.model_id), self.twin()._repr_mimebundle_())

    def _draw_sheet(self, hidden: bool) -> None:
        """Sends a large array to the canvas."""

    def _status(self, quiz: tuple[str, str] | None) -> str:
        verdict = ""
        if self.predict and quiz is not None:
            verdict = "Right. " if self.right else f"Not right: {quiz[1]}. "
        if self.reason is not None:
            return f"{verdict}Refused: {self.reason.because or self.reason.message}"
        return verdict + self._status_text()

    # -- predicting ----------------------------------------------------------------------------------

    @property
    def question(self) -> str:
        """The question in predict mode."""
        quiz = self._quiz()
        return quiz[0] if quiz else ""

    @property
    def right(self) -> bool | None:
        """Whether the guess is right; None before there is one."""
        quiz = self._quiz()
        if quiz is None or not str(self.answer).strip():
            return None
        return agrees(str(self.answer), quiz[1])

    def _hidden(self) -> bool:
        """Whether a question is open, so that the picture waits."""
        return bool(self.predict) and self._quiz() is not None and not str(self.answer).strip()

    def _pointed(self, cell: str) -> str:
        """The answer that pointing at this cell gives to the question; "" if it gives none."""
        return ""

    def _few_answers(self) -> Sequence[str]:
        """All answers that there are to the question, where they are few: each is a button."""
        return ()

    def _guessing(self, quiz: tuple[str, str] | None) -> list[Control]:
        if not self.predict or quiz is None:
            return []
        typed = Text("guess", "your guess", str(self.answer), 16, done=True, group="predict")
        pressed = [Button(f"guess {one}", one, f"your guess: {one}", group="predict") for one in self._few_answers()]
        return [*pressed, typed]

    def _question(self, quiz: tuple[str, str], blocks: list[Block]) -> list[Block]:
        guess = str(self.answer).strip()
        if not guess:
            return [*blocks, Fixed("Predict", quiz[0], "The picture follows the guess.", "blue")]
        if self.right:
            verdict = Fixed("✓", f"{quiz[0]} {quiz[1]}", "As you said.", "green")
        else:
            verdict = Fixed("✕", f"{quiz[0]} {quiz[1]}", f"You said {guess}.", "clash")
        title, rest = (blocks[:1], blocks[1:]) if isinstance(blocks[0], Title) else ([], blocks)
        return [*title, verdict, Gap(16), *rest]

    def close(self) -> None:
        """Closes the widget and the layout that ipywidgets makes for it."""
        if self.comm is not None and self.layout is not None:
            self.layout.close()
        super().close()

    # -- representations -----------------------------------------------------------------------------

    def twin(self) -> Picture:
        """The static picture of this state, which is saved, printed, and shown without a kernel."""
        return self.picture.followed_by(Note(f"Live controls: {self._can()} {LIVE_TO_USE}"))

    def _can(self) -> str:
        """What can be changed: the groups of the controls."""
        rows = dict.fromkeys(str(c["group"]) for c in self.controls if c["group"])
        return f"{', '.join(rows)}."

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The twin, with a seat for the view in an interactive session; a widget where the front end needs one. Never a
        widget and the twin: JupyterLab would show neither when the notebook is reopened. See `saving`."""
        if not answers():
            return self.twin()._repr_mimebundle_()
        self._shown_live = True
        if seats():
            twin = self.twin()._repr_mimebundle_()
            self.seat = seat_of(str(self.model_id))
            return {**twin, "text/html": seated(str(self.model_id), twin["text/html"])}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        twin = self.twin()._repr_mimebundle_()
        return {**data, "text/plain": twin["text/plain"]}, {**metadata, TWIN: twin["text/html"]}

    def __repr__(self) -> str:
        return repr(self.twin())


def _sent(value: Any, _: Any) -> Any:
    """A value of the state as the browser gets it: what has no form in JSON is sent as its text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value if not isinstance(value, int) or abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, (list, tuple)):
        return [_sent(one, None) for one in value]
    if isinstance(value, dict):
        return {str(key): _sent(one, None) for key, one in value.items()}
    return type(value).__name__


class Fixed(Sentence):
    """A sentence that does not change with the selected cell."""

    def html(self) -> str:
        return super().html().replace(' class="tw-say"', "", 1)


def steady(blocks: Sequence[Block]) -> list[Block]:
    """Keeps refusals fixed when the pointer moves; the sentences of cells appear below them."""
    out = [Fixed(b.subject, b.reason, b.after, b.bar) if _refuses(b) else b for b in blocks]
    if not any(map(_refuses, blocks)):
        return out
    return [
        *out,
        Sentence("Cells", "point at a cell, or go to it with Tab and the arrow keys, and it is explained here."),
    ]


def _refuses(block: Block) -> TypeGuard[Sentence]:
    return type(block) is Sentence and block.bar == "clash"


def refusal(reason: Reason, subject: str) -> Sentence:
    """Why the state is invalid: our explanation, then PyTorch's message and the fixes."""
    parts = [reason.message.rstrip(".")] if reason.because and reason.message else []
    parts += ["Instead: " + "; or ".join(reason.instead)] if reason.instead else []
    after = "".join(f"{part}. " for part in parts).strip()
    return Fixed(subject, (words(reason.because or reason.message),), after, "clash")


def agrees(guess: str, wanted: str) -> bool:
    """Whether two answers agree, ignoring spaces, brackets, a final comma, case, and the way numbers are written.

    >>> agrees(" (3, 4)", "3,4"), agrees("1.50", "1.5"), agrees("[3,]", "(3,)"), agrees("7", "9")
    (True, True, True, False)
    """
    one, other = ("".join(text.lower().split()).strip("()[]").rstrip(",") for text in (guess, wanted))
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False
