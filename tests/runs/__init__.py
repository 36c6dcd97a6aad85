"""Runs on disk.

run: covered by test_folder, test_convert, test_chance_curves
"""
