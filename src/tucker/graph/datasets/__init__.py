"""The named benchmark graphs: a catalogue with checksums, and how to find or fetch each."""
