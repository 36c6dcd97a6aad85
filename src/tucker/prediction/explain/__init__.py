"""Why a fact may hold: known facts like it, paths that go with it, and learned rules."""
