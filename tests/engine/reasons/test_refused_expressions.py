"""Expressions that are refused: nothing but arithmetic on given names is run, and nothing gets out."""

from __future__ import annotations

import builtins
from random import Random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.expressions import names as expression_names
from tensorwidgets.engine.expressions import walk
from tests.engine.reasons.expressions_given import names, refusal

PRIVATE = """
x.__class__
x.__array_interface__
x.T.__reduce__()
t._base
t._array
t.__dict__
x.sum().__class__.__mro__
tw.__loader__
np.__config__
t.storage().__init__()
x.__getattribute__('tofile')
tw._LATER
""".strip().split("\n")

NOT_LISTED = """
x.tofile('a')
x.dump('a')
x.dumps()
x.tobytes()
x.ctypes
x.ctypes.data
x.flat
x.setflags(write=True)
x.data.tobytes()
x.newbyteorder()
x.getfield('f4')
t.apply_(f)
t.map_(t, f)
t.set_(t)
t.register_hook(f)
t.share_memory_()
t.numpy().tofile('a')
t.backward()
np.load('a')
np.save('a', x)
np.savetxt('a', x)
np.fromfile('a')
np.memmap('a')
np.loadtxt('a')
np.genfromtxt('a')
np.frombuffer(x)
np.fromfunction(f, (3,))
np.frompyfunc(f, 1, 1)
np.vectorize(f)
np.apply_along_axis(f, 0, x)
np.apply_over_axes(f, x, 0)
np.piecewise(x, [x > 0], [f])
np.random.rand(3)
np.ctypeslib.as_array(x)
np.lib.stride_tricks.as_strided(x, (10**9,))
np.core
np.testing.assert_equal(1, 1)
np.seterr(all='raise')
np.dtype('V9')
np.r_[0:10**9]
np.object_
np.void(10**9)
tw.set_default_dtype(tw.float64)
tw.register_kernel('add', 'names', f)
tw.engine
tw.why('x')
tw.show(x)
os.system('ls')
os.path.join('a')
os.environ
secret.anything
f.__globals__
t.grad_fn.next_functions
t.storage().resize_(10**9)
t.storage().tofile('a')
''.join(['a'])
'{}'.format(x)
(1).bit_length()
xs.append(t)
xs.clear()
""".strip().split("\n")

NOT_CALLED = """
f(t)
secret()
secret(t)
print(t)
open('/etc/passwd')
eval('1')
exec('1')
compile('1', '', 'eval')
__import__('os')
__builtins__
getattr(x, 'dump')
globals()
t(3)
(lambda: 1)()
x[0](3)
x.sum()()
(x.T)(3)
x.T()
n()
""".strip().split("\n")

SYNTAX = """
lambda: 1
[i for i in x]
(i for i in x)
{1: 2}
{1}
{**x}
x if x else 1
f'{x}'
(y := x)
await x
b'abc'
x.sum(**{})
x < x < x
*x,
x = 3
x += 1
del x
import os
from os import path
x; x
x +
((((
x.t(

y
def f(): pass
print "x"
x[
'abc
""".strip("\n").split("\n")

ARGUMENTS = """
x[f]
x[secret]
x + secret
secret + x
x == secret
secret is x
not secret
secret and x
-secret
secret[0]
os[0]
len(secret)
int('9' * 9)
int('99')
len('abc')
x.sum(axis=f)
np.where(f)
np.array(secret)
np.array([secret])
np.array('a')
x.astype('O')
x.astype('V999999999')
x.astype(['f4'])
x.view('V999999999')
x.view(('f4', (9999, 9999)))
x.view([('a', 'V99999999')])
np.zeros(1, dtype='U1000000000')
np.zeros(3, (np.float32, (9999, 9999)))
np.ones_like(x, dtype=(np.float32, (9999, 9999)))
np.sum(x, 0, (np.float32, (9999, 9999)))
'%1000000000d' % 5
'a' + 'b'
'a' * 10**9
x + 'a'
x + None
None + 1
xs - xs
xs ** 2
-xs
~'a'
x @ secret
tw.cat([t, secret])
tw.cat(secret)
t.view(secret)
np.array([2**200]) ** 9
np.array([2**200]).prod()
""".strip().split("\n")

LIMITS = """
9**9**9
-9**9**9
2**10**6
1 << 10**9
(2**200) * (2**200)
9**99**99
[1] * 10**9
10**9 * (1,)
[[1] * 100] * 100
[[[0] * 10**4] * 10**4] * 10**4
tw.zeros(10**9)
tw.zeros(10**5, 10**5)
tw.zeros((10**5, 10**5))
tw.full((10**5, 10**5), 1)
tw.ones(size=(10**10,))
np.zeros((10**5, 10**5))
np.zeros(shape=(10**5, 10**5))
np.ones(10**10)
np.full((10**10,), 1)
np.identity(10**6)
np.eye(10**6)
np.tri(10**6)
np.tril_indices(10**6)
np.arange(10**12)
np.arange(0, 1, 1e-12)
np.arange(0, 1, step=1e-12)
np.arange(stop=10**12)
tw.arange(10**12)
np.linspace(0, 1, 10**10)
np.linspace(0, 1, num=10**10)
np.logspace(0, 1, 10**10)
np.indices((10**4, 10**4))
np.tile(x, 10**9)
np.tile(x, (10**5, 10**5))
np.repeat(x, 10**9)
x.repeat(10**9)
np.repeat(x[0], [10**9, 1, 1, 1])
np.outer(big, big)
np.kron(big, big)
np.meshgrid(big, big)
np.diag(big)
np.vander(big)
np.add(big[:, None], big)
np.multiply.outer(big, big)
big[:, None] + big
big[:, None] < big
big[:, None] @ big[None]
np.einsum('i,j->ij', big, big)
np.einsum('i,j', big, big)
np.tensordot(big, big, 0)
t.expand(10**9, 2, 3).clone()
t.expand(10**9, 2, 3) + 1
t.expand(10**9, 2, 3).contiguous()
t.expand(10**9, 2, 3).reshape(-1)
t.expand(10**9, 2, 3).unbind(0)
t.expand(10**9, 2, 3).split(1)
t.expand(10**9, 2, 3).tolist()
t.expand(10**9, 2, 3)[:, [0, 1]]
t.resize_(10**10)
t[tw.zeros(3).long().expand(10**9, 3)]
np.broadcast_to(x, (10**9, 3, 4)).copy()
list(big)
tuple(big)
big.tolist()
tw.zeros(10**5).unbind()
np.repeat(t, np.broadcast_to(x, (10**9, 3, 4)))
np.empty(t.expand(10**9, 2, 3))
np.select(t.expand(10**9, 2, 3), 1, 0)
np.triu_indices(np.broadcast_to(x, (10**9, 3, 4)))
np.broadcast_to(x, np.broadcast_to(x, (10**9, 3, 4)))
np.triu(big)
tw.hsplit(t, np.broadcast_to(x, (10**9, 3, 4)))
tw.zeros(10**5).chunk(10**5)
tw.zeros(10**5).split(1)
""".strip().split("\n")


@pytest.mark.parametrize("text", PRIVATE)
def test_private_names_are_refused(text: str) -> None:
    error = refusal(text)
    assert "is private" in str(error)
    assert error.reason.rule == "expression.private"  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", NOT_LISTED + NOT_CALLED + SYNTAX + ARGUMENTS)
def test_refused_with_the_thing_at_fault(text: str) -> None:
    error = refusal(text)
    reason = error.reason  # type: ignore[attr-defined]
    assert reason.rule.startswith("expression.")
    assert "cannot be read" in str(error) or reason.rule == "expression.number"
    assert reason.because and "\n" not in str(error)


def test_what_is_no_expression_of_tensors_is_said_in_plain_words() -> None:
    said = {
        "v.reshape(-1)": "'v.reshape' cannot be read: a list is not a tensor or an array",
        "foo(v)": "'foo' cannot be read: 'foo' is not a function that may be called",
        "w": "'w' cannot be read: the name 'w' is unknown",
    }
    for text, words in said.items():
        with pytest.raises((ValueError, NameError), match=words):
            tw.why(text, v=[1, 2])
    whole: Any = tw.ones(2)
    with pytest.raises(TypeError, match="cannot be read: it is not text"):
        tw.show.steps(whole)


def test_the_reason_alone_says_what_is_wrong_with_a_text() -> None:
    """An explorer shows the reason without the message."""
    said = {
        "x.reshpe(-1)": "'reshpe' may not be used here. Did you mean 'reshape'?",
        "x.register_hook(1)": "'register_hook' is not on the list of names that may be used here.",
        "x.t(": "It has to be one Python expression: '(' was never closed.",
        "x.t() x": "It has to be one Python expression.",
    }
    for text, words in said.items():
        assert refusal(text).reason.because.startswith(words)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", LIMITS)
def test_a_step_that_would_run_away_is_not_taken(text: str) -> None:
    error = refusal(text, big=np.zeros(100_000))
    assert error.reason.rule.startswith("expression.")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    ["x" + ".T" * 300, "-" * 900 + "1", "x" + "[0]" * 100, "(" * 300 + "x" + ")" * 300, "[" * 150 + "]" * 150,
     "1" * 999, "x" * 2000, "\0", "", "x.t()" * 500, "x" + "+x" * 400, "abs(" * 90 + "n" + ")" * 90],
)  # fmt: skip
def test_long_and_deep_texts_are_refused(text: str) -> None:
    assert refusal(text).reason.because  # type: ignore[attr-defined]


def random_text(chance: Random, depth: int) -> str:
    """Tensor arithmetic as nobody would write it: any name, any argument, operands of a billion elements among them."""
    kind = chance.random()
    if depth <= 0 or kind < 0.3:
        return chance.choice(["x", "t", "big", "t.expand(10**9, 2, 3)", "np.broadcast_to(x, (10**9, 3, 4))"])
    count = chance.choice((0, 1, 1, 2, 2, 3))
    operands = ", ".join(chance.choice([random_text(chance, depth - 1), *GIVEN]) for _ in range(count))
    if kind < 0.75:
        return f"{random_text(chance, depth - 1)}.{chance.choice(SAID)}({operands})"
    if kind < 0.9:
        return f"{chance.choice(['np', 'tw'])}.{chance.choice(SAID)}({operands})"
    symbol = chance.choice(["+", "@", "**", "<<", "==", "in", "and"])
    return f"({random_text(chance, depth - 1)} {symbol} {chance.choice(GIVEN)})"


GIVEN = """
0 | -1 | 3 | 10**6 | 10**9 | (10**5, 10**5) | (2, 3) | x[0] | t | big | tw.float64 | None | 0.5 | 1e-9 | 'ij' | True
| np.float32 | [[0, 1], [1, 0]] | [big, big] | (x * 10**8).astype('i8') | ... | f | secret
""".replace("\n", " ").split(" | ")
SAID = sorted(expression_names.ATTRIBUTES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(4))
def test_any_text_ends_in_a_value_or_a_refusal(seed: int) -> None:
    chance = Random(seed)
    values = 0
    for _ in range(800):
        given = names(big=np.zeros(50_000))
        try:
            values += walk(random_text(chance, 2), given)[-1].error is None
        except Exception as refused:
            assert refused.reason.rule.startswith("expression."), refused  # type: ignore[attr-defined]
        assert not given["secret"].touched  # type: ignore[attr-defined]
    assert values > 100


def test_nothing_is_evaluated_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object, **kwargs: object) -> object:
        raise AssertionError("Python was asked to evaluate")

    text = "t.t()[1:] + 1"
    assert walk(text, names())[-1].error is None  # what the first walk imports is run by Python
    for name in ("eval", "exec", "open"):
        monkeypatch.setattr(builtins, name, never)
    assert walk(text, names())[-1].error is None


def test_names_are_the_callers_alone() -> None:
    assert "Known are: x" in refusal_notes("y.t()", {"x": np.ones(2)})
    assert refusal_notes("xx.t()", {"x": np.ones(2)}).endswith("Instead: x")


def refusal_notes(text: str, given: dict[str, object]) -> str:
    with pytest.raises(NameError) as caught:
        walk(text, given)
    return "\n".join(caught.value.__notes__)


def test_a_module_that_pretends_is_no_library() -> None:
    import types

    fake = types.ModuleType("numpy")
    fake.cat = print  # type: ignore[attr-defined]
    assert "is not a tensor or an array" in str(refusal("fake.cat(x)", fake=fake))


def test_arrays_of_objects_are_not_computed_with() -> None:
    for text in ("o + 1", "o ** 99", "o.sum()", "np.power(o, 10**9)", "o[0]", "o == o", "-o", "x + o"):
        assert "its elements are object" in str(refusal(text, o=np.array([2**70, "a"], dtype=object)))


def test_a_slip_is_named_with_the_word_that_was_meant() -> None:
    assert refusal("t.viw(-1)").reason.instead == ("view",)  # type: ignore[attr-defined]
    assert refusal("t.sum").reason.instead == ("t.sum(...)",)  # type: ignore[attr-defined]
    assert refusal("t.T()").reason.instead == ("t.T",)  # type: ignore[attr-defined]


def test_what_a_library_lacks_is_its_own_error() -> None:
    assert isinstance(refusal("x.unsqueeze(0)"), AttributeError)
    assert isinstance(refusal("np.unsqueeze(x, 0)"), AttributeError)


NOT_PYTORCH = """
torch.load('a')
torch.ops
torch.nn
torch.storage
torch.jit
torch.tensor
p.unbind
p.apply_(p)
p.grad_fn
p.untyped_storage().resize_(9)
torch.zeros(10**10)
torch.randn(10**10)
torch.ones(10**5).outer(torch.ones(10**5))
torch.cartesian_prod(torch.ones(10**5), torch.ones(10**5))
torch.combinations(torch.ones(10**5))
torch.empty_strided((2, 2), (10**10, 1))
p.expand(10**9, 3, 4).clone()
p.repeat(10**9, 1)
p.repeat_interleave(10**9)
p.new_zeros(10**10)
""".strip().split("\n")


@pytest.mark.torch
def test_pytorch_is_walked_too() -> None:
    import torch

    p = torch.arange(12.0).reshape(3, 4)
    given = {"p": p, "torch": torch, "np": np}
    assert walk("p.t()[1:].reshape(-1).tolist()", given)[-1].value == p.t()[1:].reshape(-1).tolist()
    assert walk("torch.einsum('ij,kj->ik', p, p).shape", given)[-1].value == (3, 3)
    assert isinstance(walk("p.t().view(-1)", given)[-1].error, RuntimeError)
    for text in NOT_PYTORCH:
        with pytest.raises((ValueError, AttributeError)) as caught:
            walk(text, given)
        assert caught.value.reason.rule.startswith("expression.")


@pytest.mark.torch
def test_listed_functions_are_no_modules_or_classes() -> None:
    import types

    import torch

    for name in expression_names.FUNCTIONS:
        found = getattr(torch, name, None)
        assert not isinstance(found, types.ModuleType), name
        assert not isinstance(found, type) or name in ("finfo", "iinfo"), name
