"""The routes of the API: those that ask the model, look something up, or keep a decision.

They check and translate; `tucker.serving.engine` does the work.
"""
