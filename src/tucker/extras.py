"""Optional packages: imported when they are used, and missed in one way."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from tucker.errors import ExtraError


@dataclass(frozen=True)
class Extra:
    """What an extra is for, and the packages that must be there for it."""

    what: str
    packages: tuple[str, ...]


EXTRAS = {
    "calibration": Extra("calibration", ("sklearn",)),
    "plots": Extra("a plot", ("matplotlib",)),
    "serve": Extra("serving", ("fastapi", "uvicorn", "httptools")),
}


def require(extra: str) -> None:
    """Refuse to go on where a package of an extra is not installed, and say how to install it."""
    for package in EXTRAS[extra].packages:
        try:
            import_module(package)
        except ModuleNotFoundError as error:
            missing = error.name or package
            raise ExtraError(
                f"{EXTRAS[extra].what} needs {missing}, which is not installed: "
                f"pip install 'tucker[{extra}]'"
            ) from None
