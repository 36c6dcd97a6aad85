"""`python -m tucker`: the command line without its installed script."""

from tucker.cli.main import run

if __name__ == "__main__":
    run()
