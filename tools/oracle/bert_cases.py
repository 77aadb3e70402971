"""The cases. Each varies several things at once; every value that Candor claims stands in at least one of them."""

from packages import Case, dense, legacy_pooling

CASES = [
    Case("classic", "As published for years: old module names, legacy pooling booleans, stored position_ids, pooler.",
         width=32, heads=4, inner=64, layers=2, position_ids=True,
         st_config={"__version__": {"sentence_transformers": "2.0.0", "transformers": "4.6.1", "pytorch": "1.8.1"}},
         cut=8),
]
