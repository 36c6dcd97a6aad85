"""Each module of `tucker.graph` has its `test_NAME.py` here or in the folder of its name.

`test_world.py` is about the data of the bundled graph; `forms.py` writes the same facts as files of
every form. `tests/pipeline/test_same_facts.py` trains on these, and `tests/test_init.py` and
`formats/test_read.py` see that a package imports no more than it needs.
"""
