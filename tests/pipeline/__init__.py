"""How a run comes about: recipes, trainings with all that belongs to them, reports.

job: covered by api.test_train, api.test_run
"""
