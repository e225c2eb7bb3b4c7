"""`import tensorwidgets` loads NumPy and little else: a class of thirty starts thirty kernels."""

from __future__ import annotations

import json

from tests.project.running import run_python

AT_FIRST_USE = {
    "IPython", "anywidget", "cupy", "executing", "h5py", "ipywidgets", "matplotlib", "ml_dtypes", "scipy",
    "threadpoolctl", "torch",
}  # fmt: skip


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh Python holds after running the code."""
    told = run_python(f"import sys, json; {code}; print(json.dumps([n.split('.')[0] for n in sys.modules]))")
    return set(json.loads(told.splitlines()[-1]))


def test_import_loads_little() -> None:
    loaded = loaded_by("import tensorwidgets")
    assert {"tensorwidgets", "numpy"} <= loaded
    assert not loaded & AT_FIRST_USE


def test_import_leaves_the_upper_floors_asleep() -> None:
    names = run_python("import sys, tensorwidgets; print(*sys.modules)").split()
    upper = tuple(f"tensorwidgets.{floor}" for floor in ("pictures", "live", "course"))
    awake = [n for n in names if n.startswith(upper)]
    assert awake == []


def test_the_collector_looks_for_no_garbage_meanwhile() -> None:
    """And then it is as it was. It was asked ninety times: a fifth of what an import takes."""
    looked = "looked = lambda: sum(stage['collections'] for stage in gc.get_stats()[1:])"
    for first in ("enable", "disable"):
        before = f"import gc, numpy; {looked}; gc.{first}(); before = gc.isenabled(), looked()"
        told = run_python(f"{before}; import tensorwidgets; print((gc.isenabled(), looked()) == before)")
        assert told.strip() == "True"
