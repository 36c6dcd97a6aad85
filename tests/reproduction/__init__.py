"""The paper's tables and figures.

figure2: covered by test_studies
figure3: covered by test_studies
study: covered by test_studies
table1: covered by test_studies
table2: covered by test_studies
theorem1: covered by test_studies
today: covered by test_compare
"""
