"""Questions to a run, on models that nobody trained, against plain arithmetic.

prediction: covered by test_predict
"""
