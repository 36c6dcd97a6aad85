"""The command line: a file a command, which parses, calls `tucker.api` and prints.

What a command does stands elsewhere; here is only how it is asked for and how it looks.
"""
