"""tools/check_schema.py: one value that fits and one that does not for each keyword; unknown keywords refused."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from check_schema import Schema  # noqa: E402

# schema, a value that fits, a value that does not, where the violation stands
CASES = [
    ({"type": "integer"}, 3, True, ""),
    ({"type": ["string", "null"]}, None, 1, ""),
    ({"type": "number"}, 1.5, "1.5", ""),
    ({"enum": ["a", 1]}, 1, True, ""),
    ({"const": False}, False, 0, ""),
    ({"required": ["a"]}, {"a": 1}, {"b": 1}, ""),
    ({"properties": {"a": {"type": "string"}}}, {"a": "x"}, {"a": 1}, "/a"),
    ({"properties": {"a": True}, "additionalProperties": False}, {"a": 1}, {"b": 1}, "/b"),
    ({"patternProperties": {"^n": {"type": "null"}}, "additionalProperties": False}, {"n1": None}, {"n1": 1}, "/n1"),
    ({"propertyNames": {"pattern": "^[a-z]+$"}}, {"a": 1}, {"A": 1}, "/A"),
    ({"items": {"minimum": 0}}, [0, 1], [0, -1], "/1"),
    ({"prefixItems": [{"const": 1}], "items": {"const": 2}}, [1, 2, 2], [1, 1], "/1"),
    ({"minItems": 1, "maxItems": 2}, [1], [1, 2, 3], ""),
    ({"uniqueItems": True}, [1, 2], [{"a": 1}, {"a": 1}], ""),
    ({"minProperties": 1}, {"a": 1}, {}, ""),
    ({"minLength": 1}, "a", "", ""),
    ({"pattern": "^[0-9a-f]{4}$"}, "00ff", "00fff", ""),
    ({"maximum": 2}, 2, 2.5, ""),
    ({"exclusiveMinimum": 0}, 0.1, 0, ""),
    ({"anyOf": [{"type": "null"}, {"const": 1}]}, None, 2, ""),
    ({"oneOf": [{"type": "integer"}, {"minimum": 5}]}, 1, 6, ""),
    ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, 6, 1, ""),
    ({"not": {"type": "null"}}, 1, None, ""),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, 1, "1", ""),
]


class CheckSchema(unittest.TestCase):
    def test_each_keyword(self):
        for schema, good, bad, pointer in CASES:
            with self.subTest(schema=schema):
                self.assertEqual(Schema(schema).check(good), [])
                found = Schema(schema).check(bad)
                self.assertTrue(found)
                self.assertEqual(found[0][0], pointer)

    def test_every_violation_is_reported(self):
        schema = Schema({"required": ["a", "b"], "properties": {"c": {"type": "null"}}})
        self.assertEqual([p for p, _ in schema.check({"c": 1})], ["", "", "/c"])

    def test_an_unknown_keyword_is_refused(self):
        with self.assertRaisesRegex(ValueError, "dependentRequired"):
            Schema({"dependentRequired": {}}).check({})
        with self.assertRaisesRegex(ValueError, "another document"):
            Schema({"$ref": "other.json"}).check({})


if __name__ == "__main__":
    unittest.main()
