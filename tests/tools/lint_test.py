"""tools/lint.py: each rule finds what it is for and leaves alone what only looks like it."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import lint  # noqa: E402

# rule, file, a line that must be found, a line that must not
CASES = [
    ("unfinished", "src/io/a.cc", "// TODO: more", "// what is to do is done"),
    ("machine-path", "docs/a.md", "see /" + "tmp/x", "see build/tmp/x and ${HOME}/" + "work"),
    ("prints", "src/io/a.cc", "std::cerr << x;", '// std::cerr is not for us'),
    ("prints", "src/io/a.cc", 'printf("x");', 'snprintf(buffer, 8, "x");'),
    ("ends-process", "src/io/a.cc", "std::abort();", "pool.exit(1);"),
    ("throws", "src/io/a.cc", "throw x;", '// never throw'),
    ("environment", "src/io/a.cc", 'std::getenv("X");', 'Forget("X");'),
    ("raw-new", "src/io/a.cc", "auto* p = new Thing(1);", "A(const A&) = delete;"),
    ("raw-new", "src/io/a.cc", "return new Thing;", "std::unique_ptr<Thing> p(new Thing(1));"),
    ("raw-new", "src/io/a.cc", "delete p;", "void operator delete(void* p);"),
    ("skipped-test", "src/io/a_test.cc", "GTEST_SKIP();", "Skip();"),
    ("void-cast-result", "src/io/a.cc", "(void)Read();", "int F(void);"),
]


class Lint(unittest.TestCase):
    def test_each_rule(self):
        for rule, name, bad, good in CASES:
            with self.subTest(rule=rule, bad=bad):
                found = list(lint.findings(name, f"x\n{bad}\n"))
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{name}:2: {rule}: "), found)
                self.assertEqual(list(lint.findings(name, good)), [])

    def test_apps_may_print_and_tests_may_throw(self):
        self.assertEqual(list(lint.findings("src/apps/main.cc", "std::cerr << x;\nstd::exit(1);")), [])
        self.assertEqual(list(lint.findings("src/io/a_test.cc", "throw 1;\nint* p = new int;")), [])

    def test_an_exception_names_its_rule_and_reason(self):
        line = "throw x;  // lint: allow {}"
        self.assertEqual(list(lint.findings("src/io/a.cc", line.format("throws because Beast asks for it"))), [])
        self.assertEqual(len(list(lint.findings("src/io/a.cc", line.format("throws")))), 1)
        self.assertEqual(len(list(lint.findings("src/io/a.cc", line.format("prints because of it")))), 1)


if __name__ == "__main__":
    unittest.main()
