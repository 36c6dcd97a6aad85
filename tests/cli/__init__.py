"""Commands from the outside: what they print, what they refuse, and how they end.

calibrate: covered by test_probabilities
classify: covered by test_probabilities
demo: covered by pipeline.test_demo
discover: covered by test_probabilities
explain: covered by test_answers_out
export: covered by test_answers_out
facts: covered by test_predict, test_probabilities
fold_in: covered by test_answers_out, test_probabilities
neighbours: covered by test_answers_out
options: covered by test_graph
score: covered by test_probabilities
serve: covered by serving.test_stopping
"""
