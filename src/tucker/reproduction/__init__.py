"""The paper and the peers: published tables, measured results, and both side by side."""
