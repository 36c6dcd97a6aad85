"""The HTTP API and the page: a run that answers over the network."""
