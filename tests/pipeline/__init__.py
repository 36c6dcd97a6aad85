"""How a run comes about: recipes, trainings with all that belongs to them, reports."""
