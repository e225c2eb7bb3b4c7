"""Legacy constructors and type names: Tensor(2, 3), FloatTensor([1, 2]), x.type("torch.DoubleTensor").

They take integers for a size and anything else for data. `tensor` and `zeros` replace them.
"""

from __future__ import annotations

import copyreg
from typing import Any, NoReturn

from ..calling.arguments import as_size
from ..calling.reading import Notations
from ..derivatives.private_rows import alias
from ..dispatch.kinds import NonStridedArray
from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..interop.nested_lists import array_of, is_sequence, refuse_text
from ..memory import MAIN_MEMORY, place_at
from ..ops.copies.copying import to_dtype
from ..ops.creation.filled import made
from ..ops.creation.from_data import shared_with
from ..ops.small.questions import is_nonzero
from ..tensor.classes import in_class
from ..tensor.copying import copied
from ..tensor.keys import KEY_AUTOGRAD, KEY_META, KEY_NAMES
from ..tensor.storages.typed import TypedStorage, storage_class
from ..tensor.storages.untyped import UntypedStorage
from ..tensor.tensor import Tensor
from ..tensor.type_names import class_name, type_name
from ..tensor.wrapping import tensor_on, wrap, wrap_view
from ..types import device as devices
from ..types import dtypes
from ..types.built_in import ShownAsPyTorchs
from ..types.dtypes import dtype
from ..types.size import Size

_NEW = Notations("new", method=True)


def new_tensor(cls: type[Tensor], /, *args: Any, **kwargs: Any) -> Tensor:
    """``Tensor(…)``: a tensor of a size or from data, in the default dtype; a view if given a tensor."""
    return in_class(_made(args, kwargs, dtypes.get_default_dtype(), any_dtype=True), cls)


def _made(
    args: tuple, kwargs: dict, d: dtype, any_dtype: bool = False, place: Any = devices.CPU, called: str = ""
) -> Tensor:
    """Make a tensor of a dtype by the legacy rules. `any_dtype`: whether a given tensor may have another dtype."""
    if args and isinstance(args[0], Tensor) and "device" in kwargs:
        form = "constructor of the form torch.Tensor(tensor, device=device)"
        ways = "torch.tensor(...) or torch.as_tensor(...)"
        if called == "new":
            form, ways = "new of the form tensor.new(tensor, device=device)", "torch.as_tensor(...)"
        refuse(
            RuntimeError,
            f"Legacy tensor {form} is not supported.  Use {ways} instead.",
            "this constructor makes views, and a view cannot move to another device",
            "torch.tensor(x, device=device)",
            rule="legacy.device",
        )
    given = _NEW.read(args, kwargs)
    place = _checked_device(given.get("device"), place)
    if "storage" in given:
        return _of_storage(given["storage"], d)
    if "other" in given:
        return _of_tensor(given["other"], d, place, any_dtype)
    if "size" in given and not _is_data(given["size"], args):
        return made("new", as_size("new", given["size"]), None, d, device=place)
    data = given.get("size", given.get("data"))
    if "size" not in given and "data" not in given:
        return made("new", (0,), None, d, device=place)
    return _of_data(data, d, place)


def _is_data(size: Any, args: tuple) -> bool:
    """A positional list or tuple is data, unless it is a `torch.Size`."""
    return bool(args) and size is args[0] and not isinstance(size, Size)


def _checked_device(wanted: Any, place: devices.device) -> devices.device:
    """The device on which a tensor is made: of the same type, with the number that is asked for."""
    if wanted is None:
        return place
    wanted = devices.device(wanted)
    if wanted.type != place.type:
        refuse(
            RuntimeError,
            f"legacy constructor expects device type: {place.type} but device type: {wanted.type} was passed",
            f"this constructor makes tensors on {place.type} only",
            f"torch.tensor(…, device={wanted.type!r})",
            rule="legacy.device",
        )
    return devices.usable(wanted)


def _of_storage(storage: Any, d: dtype) -> Tensor:
    if isinstance(storage, TypedStorage):
        if storage.dtype is not d:
            refuse(
                RuntimeError,
                f"Expected a Storage of type {d._type_name} or an UntypedStorage, but got type "
                f"{storage.dtype._type_name} for argument 1 'storage'",
                f"these bytes are numbers of {storage.dtype}",
                f"torch.{storage.dtype._type_name}Tensor(storage)",
                rule="legacy.storage",
            )
        storage = storage.untyped()
    return tensor_on(storage, d)


def _of_tensor(other: Tensor, d: dtype, place: devices.device, any_dtype: bool) -> Tensor:
    if (other._dtype is not d or other.device is not place) and not any_dtype:
        refuse(
            TypeError,
            f"expected {_options(d, place)} (got {_options(other._dtype, other.device)})",
            f"this constructor makes views of {d} on {place}, and the tensor is of {other._dtype} on {other.device}",
            f"x.to({d})",
            rule="legacy.dtype",
        )
    if other._requires_grad:
        return alias(other)  # type: ignore[no-any-return]
    return wrap_view(other._array, other)


_C_TYPES = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int",
    "float16": "c10::Half", "float32": "float", "float64": "double", "bool": "bool", "bfloat16": "c10::BFloat16",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip


def _options(d: dtype, place: devices.device) -> str:
    return (
        f"TensorOptions(dtype={_C_TYPES.get(d._name, d._type_name)}, device={place}, layout=Strided, "
        "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
    )


def _of_data(data: Any, d: dtype, place: devices.device) -> Tensor:
    if isinstance(data, (str, bytes)):
        refuse_text(data)
    if not is_sequence(data):
        refuse(
            TypeError,
            f"new(): data must be a sequence (got {type_name(data)})",
            "a whole number is a size here, a list is data, and this is neither",
            "torch.tensor(…)",
            rule="legacy.data",
        )
    shared = shared_with(data)
    t = wrap(*array_of(data, d)) if shared is None else to_dtype(shared, d)
    return t if place is t.device else copied(t, d, place=place_at(place))


def new(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """A tensor by the old rules, in this one's dtype and on its device."""
    return _made(args, kwargs, self._dtype, place=self.device, called="new")


# -- the typed names ---------------------------------------------------------------------------------------------


def _refuse_type(shown: str) -> NoReturn:
    refuse(
        TypeError,
        f"type {shown} not available. Torch not compiled with CUDA enabled.",
        "new tensors cannot be on a GPU that is not there",
        "torch.set_default_dtype(torch.float32), and torch.cuda.simulate() first for a simulated GPU",
        rule="type.name",
    )


class tensortype(type, metaclass=ShownAsPyTorchs):
    """FloatTensor and its like: a dtype as a name to make tensors by, and to ask for by isinstance.

    They are classes, so that annotations can say ``FloatTensor | None``; and no tensor is of such a class.

    >>> FloatTensor = tensortype(dtypes.float32)
    >>> FloatTensor([1, 2])._dtype, FloatTensor
    (torch.float32, <class 'torch.FloatTensor'>)
    >>> FloatTensor | None
    torch.FloatTensor | None
    """

    __module__ = "torch"
    is_sparse = False
    dtype: dtypes.dtype
    _where: str

    def __new__(meta, d: Any, where: Any = "cpu", *members: Any) -> Any:
        if not isinstance(d, dtype):  # the name of a class of a user's own, then its bases
            raise TypeError(f"type 'torch.{where[0].__name__}' is not an acceptable base type")
        module = "torch.cuda" if where == "cuda" else "torch"
        return type.__new__(meta, f"{d._type_name}Tensor", (), {"__module__": module, "dtype": d, "_where": where})

    def __init__(cls, d: dtypes.dtype, where: str = "cpu"):
        """What there is to say is said when the class is made."""

    @property
    def is_cuda(cls) -> bool:
        """Whether its tensors are on a GPU."""
        return cls._where == "cuda"

    @property
    def layout(cls) -> Any:
        from ..types.formats import strided

        return strided

    def __call__(cls, *args: Any, **kwargs: Any) -> Tensor:
        if cls.is_cuda and not devices.gpu_is_there():
            _refuse_type(f"torch.cuda.{cls.__name__}")
        return _made(args, kwargs, cls.dtype, place=devices.usable(cls._where))

    def __instancecheck__(cls, instance: Tensor) -> bool:
        if (
            not isinstance(instance, Tensor)
            or instance._keys & KEY_META
            or isinstance(instance._array, NonStridedArray)
        ):
            return False
        return instance._dtype is cls.dtype and instance.is_cuda == cls.is_cuda

    def __getattr__(cls, name: str) -> Any:
        """The methods of tensors, by any of these names."""
        if hasattr(Tensor, name):
            return getattr(Tensor, name)
        raise AttributeError(f"type object 'torch.{cls.__name__}' has no attribute '{name}'")

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def _reduced(kind: tensortype) -> tuple:
    return (typed_name, (kind.__name__, kind._where))


copyreg.pickle(tensortype, _reduced)  # type: ignore[arg-type]


_NAMED = (
    dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16, dtypes.uint8, dtypes.int8, dtypes.int16,
    dtypes.int32, dtypes.int64, dtypes.bool_,
)  # fmt: skip
TYPES = {f"{d._type_name}Tensor": tensortype(d) for d in _NAMED}
_STORED = (*_NAMED, dtypes.complex64, dtypes.complex128)
STORAGES = {f"{d._type_name}Storage": storage_class(d) for d in _STORED}


ON_GPU = {f"{d._type_name}Tensor": tensortype(d, "cuda") for d in _NAMED}
"""The names of the types of tensors on a GPU, which `torch.cuda` has."""


def typed_name(name: str, where: str = "cpu") -> tensortype:
    """Returns a legacy tensor type by its name, for pickles."""
    return (TYPES if where == "cpu" else ON_GPU)[name]


# -- x.type() ----------------------------------------------------------------------------------------------------

_TYPE = Notations("type", method=True)
_BY_NAME = {f"torch.{d._type_name}Tensor": d for d in dtypes.ALL}


def type_(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Returns the legacy type name of the tensor, or converts it to a type given by dtype, name or class."""
    given = _TYPE.read(args, kwargs)
    wanted = given.get("dtype")
    if wanted is None:
        where = "" if self.is_cpu else f"{self.device.type}."
        return f"torch.{where}{self._dtype._type_name}Tensor"
    memory_format = given.get("memory_format")
    if isinstance(wanted, dtype):
        d = wanted
    else:
        d, where = _type_of(wanted)
        if where == "cuda" or self.is_cuda:
            return self.to(where, d, memory_format=memory_format)
    if self._keys & (KEY_NAMES | KEY_AUTOGRAD):
        return self.to(d, memory_format=memory_format)
    if isinstance(wanted, dtype):
        return to_dtype(self, d, memory_format=memory_format)
    if self._keys & KEY_META:
        return copied(self, d, place=MAIN_MEMORY)
    return to_dtype(self, d, memory_format=memory_format)


def _type_of(wanted: Any) -> tuple[dtype, str]:
    """The dtype and the kind of device that a type means."""
    if isinstance(wanted, tensortype):
        return wanted.dtype, wanted._where
    if wanted is Tensor:
        return dtypes.get_default_dtype(), "cpu"
    if not isinstance(wanted, (str, type)):
        refuse(
            TypeError,
            "dtype must be a type, str, or dtype object",
            f"{wanted!r} is not a dtype, a type name or a tensor type",
            "x.type(torch.float64)",
            rule="type.kind",
        )
    name = wanted if isinstance(wanted, str) else class_name(wanted)
    if name == "torch.Tensor":
        return dtypes.get_default_dtype(), "cpu"
    where = "cpu"
    if name.startswith("torch.cuda."):
        where, name = devices.usable("cuda").type, name.replace("cuda.", "", 1)
    if name not in _BY_NAME:
        refuse(
            ValueError,
            f"invalid type: '{name}'",
            "the names are torch.FloatTensor, torch.LongTensor and so on",
            "x.type(torch.float64)",
            rule="type.name",
        )
    return _BY_NAME[name], where


def set_default_tensor_type(t: Any) -> None:
    """Sets the default floating-point dtype by its legacy type name."""
    warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
        once=True,
    )
    on_gpu = isinstance(t, str) and t.startswith("torch.cuda.") or isinstance(t, tensortype) and t.is_cuda
    if on_gpu and not devices.gpu_is_there():
        shown = t if isinstance(t, str) else f"torch.cuda.{t.__name__}"
        _refuse_type(shown)
    if isinstance(t, str) and not on_gpu:
        package, _, name = t.rpartition(".")
        if package != "torch" or name not in TYPES:
            missing = t.partition(".")[0] if package != "torch" else f"torch.{name}"
            refuse(
                ModuleNotFoundError,
                f"No module named '{missing}'",
                "the names are torch.FloatTensor, torch.DoubleTensor and so on",
                "torch.set_default_dtype(torch.float64)",
                rule="type.name",
            )
        t = TYPES[name]
    elif on_gpu:
        t = typed_name(t.rpartition(".")[2] if isinstance(t, str) else t.__name__, "cuda")
    if not isinstance(t, tensortype):
        refuse(
            TypeError,
            "invalid type object: only floating-point types are supported as the default type",
            "pass a floating-point tensor type, such as torch.FloatTensor",
            "torch.set_default_dtype(torch.float64)",
            rule="type.kind",
        )
    dtypes.set_default_dtype(t.dtype)
    if on_gpu:
        devices.set_default_device("cuda")


METHODS: dict[str, Any] = {"type": type_, "new": new, "is_nonzero": is_nonzero}
PROPERTIES: dict[str, Any] = {}
FACE: dict[str, Any] = {**TYPES, **STORAGES, "set_default_tensor_type": set_default_tensor_type}

__all__ = ["FACE", "METHODS", "PROPERTIES", "UntypedStorage", "new_tensor"]
