"""Models beyond the shared suite of tests/contract, which every model of the list goes through.

analogy: covered by test_trilinear
base: covered by contract.test_models
block_core: covered by test_tucker, training.test_regularisers
complex: covered by test_trilinear
conve: covered by test_convolutions
cp: covered by test_trilinear
distmult: covered by test_trilinear
ftranse: covered by contract.test_models
hyper: covered by test_convolutions
rescal: covered by test_trilinear
rotate: covered by test_distance
setting_help: covered by docs.test_reference
simple: covered by test_trilinear
stranse: covered by contract.test_models
toruse: covered by test_distance
transe: covered by test_distance
"""
