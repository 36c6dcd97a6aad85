"""Runs on disk.

run: covered by test_folder
"""
