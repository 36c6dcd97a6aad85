"""Optional packages: imported when they are used, and missed in one way."""

from __future__ import annotations

from importlib import import_module

from tucker.errors import ExtraError


def require(package: str, *, extra: str, what: str) -> None:
    """Refuse to go on without an optional package, and say which extra brings it."""
    try:
        import_module(package)
    except ModuleNotFoundError as error:
        missing = error.name or package
        raise ExtraError(
            f"{what} needs {missing}, which is not installed: pip install 'tucker[{extra}]'"
        ) from None
