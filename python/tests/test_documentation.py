"""The examples of the package's documentation, and that every public name is documented."""

import doctest
import importlib
import inspect

import pytest

import tensorsmith

MODULES = ("arrays", "boxes", "matrices", "unit")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(f"tensorsmith.{name}")
    outcome = doctest.testmod(module, verbose=False)
    assert outcome.failed == 0
    assert outcome.attempted > 0 or name == "arrays"


def test_every_public_name_is_documented():
    for name in tensorsmith.__all__:
        public = getattr(tensorsmith, name)
        assert inspect.getdoc(public), name
        if inspect.isclass(public):
            for member, value in vars(public).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    assert inspect.getdoc(value), f"{name}.{member}"


def test_names_that_are_not_there():
    with pytest.raises(AttributeError, match="no attribute 'matmull'"):
        tensorsmith.matmull
    assert set(tensorsmith.__all__) <= set(dir(tensorsmith))
