"""Calls that draw random numbers, in every form that PyTorch has, as texts that run with either engine as `t`."""

from __future__ import annotations

from itertools import product

FLOATS = ("float32", "float64", "float16", "bfloat16")
COMPLEX = ("complex64", "complex128")
WHOLE = ("uint8", "int8", "int16", "int32", "int64", "bool", "uint16")
ALL = FLOATS + COMPLEX + WHOLE
SIZES = ("0", "1", "5", "15", "16", "17", "100", "3,7", "4,0")
LOOKS = ("", ".t()", "[:, ::2]", "[:, 1:]")

IN_PLACE = {
    "uniform_": ("", "-1, 2", ".1, .3", "0, 1e-3", "-1e4, 1e4", "1/3, 2/3", "5, 5", "3, 1", "-3e38, 3e38", "nan, 1"),
    "normal_": ("", "1.5, .3", ".1, 0", "0, -1"),
    "random_": (
        "", "10", "-5, 9", "0, 2", "0, 1 << 40", "1, None", "-(1 << 63), None", "-(1 << 62), 1 << 62",
        "0, (1 << 63) - 1", "0, 1 << 28", "0, (1 << 32) - 1", "0, 1 << 32", "5, 3", "(1 << 30) + 1, (1 << 30) + 2",
    ),
    "bernoulli_": ("", ".3", "0", "1", "2", "t.tensor(.3)", "t.tensor(.3, dtype=t.float64)", "t.tensor(1)"),
    "exponential_": ("", "2.5", ".001", "-1", "nan"),
    "geometric_": (".3", ".9", ".001", "1."),
    "cauchy_": ("", "1, 2.5", "0, 0"),
    "log_normal_": ("", ".5, .3", "0, 0"),
}  # fmt: skip


SEEDS = ("3", "-1", "1.5", "True", "'3'", "None", "2**64", "-2**63 - 1", "t.tensor(3)", "[1]")


def _in_place() -> list[str]:
    calls = []
    for op, forms in IN_PLACE.items():
        for i, (form, d) in enumerate(product(forms, ALL)):
            size = SIZES[i % len(SIZES)]
            calls.append(f"t.zeros({size}, dtype=t.{d}).{op}({form})")
            look = LOOKS[i % len(LOOKS)]
            calls.append(f"t.zeros(5, 6, dtype=t.{d}){look}.{op}({form})")
    chances = "t.linspace(0, 1, 30).reshape(5, 6)"
    for look, d in product(LOOKS, FLOATS):
        calls.append(f"t.zeros(5, 6){look}.bernoulli_({chances}{look}.to(t.{d}))")
        calls.append(f"t.bernoulli({chances}{look}.to(t.{d}))")
    return calls


def _made() -> list[str]:
    calls = []
    for size, d in product(SIZES, ALL):
        calls += [f"t.{op}({size}, dtype=t.{d})" for op in ("rand", "randn")]
        calls += [f"t.randint({bounds}, ({size},), dtype=t.{d})" for bounds in ("2", "-3, 100")]
    for look, d in product(LOOKS, ALL):
        x = f"t.zeros(5, 6, dtype=t.{d}){look}"
        calls += [f"t.rand_like({x})", f"t.randn_like({x})", f"t.randint_like({x}, 7)", f"t.randint_like({x}, -3, 7)"]
        calls += [f"t.bernoulli({x}, .3)", f"{x}.bernoulli(.3)", f"t.bernoulli({x})"]
    calls += [f"t.randperm({n}, dtype=t.{d})" for n, d in product((0, 1, 2, 5, 100, 3000), ALL)]
    calls += ["t.randperm(70_000)", "t.randn(5000)", "t.rand(5000)", "t.empty(1003).normal_(1.5, .3)"]
    calls += ["t.randint_like(t.ones(3), t.tensor(5))", "t.randint(t.tensor(5), (3,))"]
    calls += ["t.rand(size=(2,))", "t.rand(())"]
    own = "generator=t.Generator().manual_seed(3)"
    streamed = ("rand(3", "randn(3", "randint(9, (3,)", "randperm(5", "normal(0., 1., (3,)")
    calls += [f"t.{call}, {own})" for call in streamed]
    calls += [f"t.{call}, generator=None)" for call in ("rand(3", "randn(3", "randint(9, (3,)", "randperm(5")]
    return calls


OUTS = (
    "t.empty(0)", "t.zeros(2, 3)", "t.zeros(3, 2).t()", "t.zeros(2, 3, dtype=t.float64)", "t.zeros(6, dtype=t.int64)",
    "t.zeros(2, 3, dtype=t.int32)", "t.zeros(2, 3, dtype=t.complex64)", "t.zeros(3).expand(2, 3)",
    "t.zeros(2, 3, dtype=t.float16)", "t.zeros(3, 4)[1:, 1:]",
)  # fmt: skip


def _into() -> list[str]:
    making = (
        "rand(2, 3", "rand((2, 3), dtype=t.float32", "rand(2, 3, device='cpu'", "rand(2, 3, requires_grad=True",
        "randn(2, 3", "randint(10, (2, 3)", "randint(1, 10, (2, 3)", "randint(10, 5, (2,)", "randint(300, (2,)",
        "randperm(6", "randperm(6, dtype=t.int32", "normal(0., 1., (2, 3)", "normal(t.zeros(2, 3), t.ones(2, 3)",
        "normal(t.zeros(2, 3), 2.", "normal(1., t.ones(2, 3)", "bernoulli(t.full((2, 3), .5)",
        "multinomial(t.ones(2, 3), 3", "multinomial(t.ones(2, 3), 1, True", "multinomial(t.ones(2, 3), 3, True",
        "zeros(2, 3", "ones(2, 3", "full((2, 3), 2", "arange(6", "linspace(0, 5, 6", "logspace(0, 5, 6", "range(0, 5",
    )  # fmt: skip
    return [f"t.{call}, out={out})" for call, out in product(making, OUTS)]


def _drawn() -> list[str]:
    calls = []
    for mean, std in product((*FLOATS, "complex64"), (*FLOATS, "int64")):
        calls.append(f"t.normal(t.full((5, 6), .3, dtype=t.{mean}), t.full((6, 5), 2, dtype=t.{std}).t())")
    for d in (*FLOATS, "complex64", "int64"):
        calls += [f"t.normal(t.full((3, 7), .3, dtype=t.{d}), 1.5)", f"t.normal(.3, t.full((3, 7), 2, dtype=t.{d}))"]
        calls += [f"t.normal(1., 2., ({size},), dtype=t.{d})" for size in SIZES]
        for rate in ("0", ".5", "3", "9.9", "10", "50", "1000."):
            calls.append(f"t.poisson(t.full((3, 5), {rate}, dtype=t.{d}).t())")
        for count, p in product(("0", "1", "5", "50", "1000", "5.5"), (".3", ".7", "0.", "1.", ".01")):
            calls.append(f"t.binomial(t.full((3, 5), {count}, dtype=t.{d}).t(), t.full((5, 3), {p}, dtype=t.{d}))")
        for w in ("[.2, .3, .5]", "[[.2, .3, .5]] * 4", "[[1, 0, 2, 5.]] * 3", "[1.]", "[3, 3, 3, 0, 1, 2, 9.]"):
            for k, again in product((1, 2, 3, 4, 50), (True, False)):
                calls.append(f"t.multinomial(t.tensor({w}).to(t.{d}), {k}, {again})")
            calls.append(f"t.multinomial(t.tensor({w}).to(t.{d}).t(), 1)")
    calls += [
        "t.multinomial(t.tensor([.5, inf]), 1, True)", "t.multinomial(t.tensor([[0., 0], [1, 2]]), 1, True)",
        "t.multinomial(t.ones(0, 3), 2, True)", "t.multinomial(t.ones(0, 3), 2)", "t.multinomial(t.ones(()), 1)",
        "t.multinomial(t.ones(0), 1, True)", "t.multinomial(t.ones(2, 0), 1, True)",
        "t.multinomial(t.ones(0), 2, True)",
        "t.multinomial(t.ones(0, 0), 1, True)", "t.multinomial(t.ones(0, 0), 3, True)", "t.multinomial(t.ones(0), 0)",
        *[f"t.rand(1, generator=t.Generator().manual_seed({seed}))" for seed in SEEDS],
        *[f"t.rand(t.manual_seed({seed}).initial_seed() % 5)" for seed in SEEDS],
        "t.normal(t.zeros(2), t.ones(2, dtype=t.complex64))", "t.normal(t.zeros(2), -t.ones(2))",
        "t.normal(t.zeros(2), t.ones(3))", "t.poisson(-t.ones(3))", "t.poisson(t.tensor([nan, 1]))",
        "t.poisson(t.ones(3), t.Generator().manual_seed(3))", "t.binomial(count=t.ones(2), prob=t.ones(2))",
        "t.binomial(t.ones(3), t.ones(3, dtype=t.float64))", "t.binomial(t.ones(3), t.ones(2))",
        "t.bernoulli(t.ones(3) * 2)", "t.zeros(3).bernoulli_(t.ones(2))",
    ]  # fmt: skip
    return calls


CALLS = [*dict.fromkeys([*_in_place(), *_made(), *_into(), *_drawn()])]
