"""The recipes that come with the package, by name."""

from __future__ import annotations

import difflib
from pathlib import Path

from tucker.errors import SettingsError
from tucker.pipeline.recipe import Recipe, make_recipe, read_recipe

_FOLDER = Path(__file__).parent / "recipes"


def recipe_names() -> list[str]:
    """Name the recipes that come with the package, such as paper/wn18rr.

    >>> [name for name in tucker.recipe_names() if name.startswith("fast/")]
    """
    return sorted(map(recipe_name, _FOLDER.rglob("*.yaml")))


def load_recipe(name: Path | str) -> Recipe:
    """Load a recipe: a YAML file, or one that comes with the package, by its name.

    >>> tucker.load_recipe("fast/wn18rr").training.epochs
    """
    return make_recipe(read_recipe(find_recipe(str(name))))


def recipe_name(path: Path) -> str:
    """Return the name of a recipe that comes with the package, or what another's file is called."""
    if path.is_relative_to(_FOLDER):
        return path.relative_to(_FOLDER).with_suffix("").as_posix()
    return path.stem


def find_recipe(name: str) -> Path:
    """Return the file of a recipe, given by its path or by the name of one that is shipped."""
    path, shipped = Path(name), name.removesuffix(".yaml")
    if path.is_file():
        return path
    names = recipe_names()
    if shipped in names:
        return _FOLDER / f"{shipped}.yaml"
    if path.suffix or path.exists():
        return path  # reading it says what is wrong with it
    close = difflib.get_close_matches(name, names, n=3)
    graph = f"to train on a graph of that name, say --graph {name}"
    hint = f"did you mean {' or '.join(close)}?" if close else graph
    raise SettingsError(f"there is no recipe {name!r}; {hint}")
