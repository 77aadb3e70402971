"""Random templates of the subset for tools/oracle/compare_templates.py: expressions over awkward values, and statements
around them. Seeded: the same number, the same template."""
import random

CONTEXT = {
    "messages": [{"role": "system", "content": " Be short.\n"}, {"role": "user", "content": "Hi <b> \u00e9\u4e2d'\"", "n": 3},
                 {"role": "assistant", "content": "", "tool_calls": [{"id": "x1", "function": {"name": "f", "arguments": {"a": [1, None, {"b": True}]}}}]},
                 {"role": "user", "content": [{"type": "text", "text": "part"}, {"type": "image"}]}],
    "s": "Hello, World", "t": "  padded\t\n", "u": "caf\u00e9 \U0001f600\u2028\u0000 \u4e2d'\"\\", "e": "", "lines": "a\nb\r\n\n  c\x0bd\n",
    "num": "42", "fl": "2.50", "i": 7, "j": -3, "z": 0, "f": 2.5, "g": -0.125, "big": 1e16, "tiny": 1.5e-7, "yes": True, "no": False,
    "nil": None, "l": [3, 1, 2], "ls": ["b", "A", "a", "B"], "mixed": [1, "1", 1.0, True, None, [1]], "empty": [], "d": {"b": 1, "a": "x", "C": None},
    "nested": {"items": [1], "keys": {"k": "v"}, "x": {"y": {"z": "deep"}}, "get": 5}, "ed": {}, "users": [{"name": "Zo\u00eb", "age": 3, "tags": ["q"]},
    {"name": "ann", "age": 20}, {"name": "Bob", "age": 20, "tags": []}],
    "bos_token": "<s>", "loopy": ["x", "y", "z"],
}
NAMES = [*CONTEXT, "missing", "v", "w", "ns"]
STRINGS = ["a", "A", "", " ", "x", "role", "content", "name", "user", "o", ", ", "\\n", "l", "b", "items", "Hello", "\\u00e9", "1", "\\\\", "\\'", "<|", "{{", "k"]
ATTRIBUTES = ["role", "content", "x", "y", "name", "items", "keys", "a", "b", "missing", "get", "n", "tool_calls", "function", "tags", "age", "upper", "0", "1"]
TESTS0 = ["defined", "undefined", "none", "string", "mapping", "number", "integer", "float", "boolean", "true", "false", "iterable", "sequence",
          "callable", "odd", "even", "lower", "upper"]
TESTS1 = ["eq", "ne", "lt", "le", "gt", "ge", "equalto", "divisibleby", "in", "sameas", "==", "!="]
FILTERS = ["abs", "capitalize", "count", "default", "d('x')", "default('y', true)", "dictsort", "dictsort(false, 'value')", "dictsort(true)",
           "dictsort(reverse=true)", "first", "float", "float(1)", "indent", "indent(2)", "indent('>', true)", "indent(1, blank=true)", "int", "int(9)",
           "items", "items|list", "join", "join(', ')", "join('-', attribute='name')", "join(attribute='role')", "last", "length", "list", "lower",
           "map('upper')|list", "map(attribute='name')|list", "map(attribute='name', default='?')|list", "map('default', 'q')|list", "map('length')|list",
           "map(attribute='x.y')|join", "max", "min", "max(attribute='age')", "min(true)", "reject('none')|list", "reject|list", "rejectattr('tags')|list",
           "rejectattr('age', 'eq', 3)|list", "replace('a', 'bb')", "replace('l', '', 1)", "replace('', '.')", "replace('o', nil)", "reverse", "reverse|list",
           "select('string')|list", "select|list", "select('gt', 1)|list", "selectattr('age', 'ge', 4)|map(attribute='name')|list", "selectattr('tags')|list|length",
           "selectattr('role', 'in', ['user', 'system'])|list", "sort", "sort(reverse=true)", "sort(case_sensitive=true)", "sort(attribute='name')", "sort(attribute='age,name')",
           "string", "sum", "sum(attribute='age')", "sum(start=2)", "title", "tojson", "tojson(indent=2)", "tojson(ensure_ascii=true)", "tojson(sort_keys=true)",
           "tojson(separators=(',', ':'))", "tojson(indent=1, separators=(';', '='))", "trim", "trim('a ')", "unique|list", "unique(true)|list", "upper", "first|upper",
           "list|first", "map('trim')|join('|')", "select('defined')|first"]
METHODS = [".upper()", ".lower()", ".strip()", ".lstrip()", ".rstrip('\\n')", ".strip('Hd')", ".split()", ".split(',')", ".split('l', 1)", ".rsplit('l', 1)", ".split(none, 1)",
           ".rsplit(none, 1)", ".splitlines()", ".splitlines(true)", ".startswith('H')", ".endswith(('d', 'x'))", ".startswith('e', 1)", ".replace('l', 'L')", ".replace('l', 'L', 1)",
           ".find('o')", ".rfind('o')", ".find('o', 5)", ".find('o', -4, -1)", ".count('l')", ".count('')", ".index('e')", ".title()", ".capitalize()", ".isdigit()", ".isalpha()", ".isalnum()",
           ".isspace()", ".isupper()", ".islower()", ".join(ls)", ".join(['a', 'b'])", ".items()", ".keys()", ".values()", ".get('a')", ".get('zz')", ".get('zz', 4)", ".items()|list", ".keys()|list",
           ".values()|list|first", ".count(1)", ".index(1)", ".copy()", ".removeprefix('He')", ".removesuffix('ld')", ".split('>')[-1]", ".append(1)", ".pop()", ".foo()", ".encode()"]
BINARY = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.macro = False

    def pick(self, items):
        return items[self.r.randrange(len(items))]

    def chance(self, p):
        return self.r.random() < p

    def string(self):
        return self.pick(["'%s'", "'%s'", '"%s"']) % self.pick(STRINGS)

    def literal(self):
        k = self.r.randrange(12)
        if k < 4:
            return self.string()
        if k < 7:
            return self.pick(["0", "1", "2", "-1", "3", "10", "1_000", "0x1f", "7"])
        if k == 7:
            return self.pick(["1.5", "0.1", "1e3", "2.0", "1e22", "1e-5", "3.14159"])
        if k == 8:
            return self.pick(["true", "false", "none", "True", "None"])
        if k == 9:
            return "[" + ", ".join(self.literal() for _ in range(self.r.randrange(4))) + "]"
        if k == 10:
            return "{" + ", ".join(self.string() + ": " + self.literal() for _ in range(self.r.randrange(3))) + "}"
        return self.pick(["()", "(1,)", "(1, 'a')", "('b', 2.5, none)"])

    def primary(self, depth):
        k = self.r.randrange(10)
        if depth <= 0 or k < 5:
            return self.pick(NAMES) if self.chance(0.7) else self.literal()
        if k < 7:
            return "(" + self.expression(depth - 1) + ")"
        if k == 7:
            return "[" + ", ".join(self.expression(depth - 2) for _ in range(self.r.randrange(4))) + "]"
        if k == 8:
            return "{" + ", ".join(self.pick([self.string(), self.primary(0)]) + ": " + self.expression(depth - 2) for _ in range(self.r.randrange(3))) + "}"
        return self.pick(["range(%d)" % self.r.randrange(-2, 6), "range(1, 9, 3)", "range(5, 0, -2)", "dict(a=1, b=%s)" % self.primary(0), "dict(%s)" % self.primary(0),
                          "namespace(x=1).x", "strftime_now('%d %b %Y')", "range(%s)" % self.primary(0)])

    def postfix(self, depth):
        out = self.primary(depth)
        while self.chance(0.4):
            k = self.r.randrange(9)
            if k < 2:
                out += "." + self.pick(ATTRIBUTES)
            elif k == 2:
                out += "[" + self.pick(["0", "-1", "1", "5", "'a'", "'role'", "'items'", "i", "missing", "true", "none", "1.0", "-9"]) + "]"
            elif k == 3:
                out += "[" + self.pick([":2", "1:", "::-1", "-2:", "1:3", ":-1", "::2", "5:1:-2", "nil:", ":missing", "i:", "::0", "-100:100", "3::-1", "'a':"]) + "]"
            elif k < 7:
                out += self.pick(METHODS)
            else:
                out += "[" + self.expression(depth - 2) + "]"
        return out

    def unary(self, depth):
        out = self.postfix(depth)
        if self.chance(0.08):
            out = self.pick(["-", "+", "not ", "- "]) + out
        while self.chance(0.35):
            out += ("|" if self.chance(0.7) else " | ") + self.pick(FILTERS)
        if self.chance(0.15):
            out += " is " + ("not " if self.chance(0.3) else "")
            if self.chance(0.6):
                out += self.pick(TESTS0)
            else:
                out += self.pick(TESTS1)
                argument = self.primary(0)
                out += self.pick([" %s", "(%s)"]) % argument
        return out

    def expression(self, depth=3):
        if self.chance(0.85):
            return self.typed(depth)
        out = self.unary(depth)
        if self.chance(0.03):  # of small numbers alone: Python would compute any
            out = self.pick(["i", "z", "f", "2", "g", "yes", "s"]) + " ** " + self.pick(["2", "0", "3", "j", "-2", "0.5", "20"])
        while depth > 0 and self.chance(0.35):
            out += " " + self.pick(BINARY) + " " + self.unary(depth - 1)
        if depth > 1 and self.chance(0.1):
            out += " if " + self.unary(depth - 1) + ("" if self.chance(0.2) else " else " + self.unary(depth - 1))
        return out

    # Expressions of a type, so that most are answered: what they are made of is of the right type nearly always.
    STR = {"atoms": ["s", "t", "u", "e", "lines", "num", "fl", "messages[1].content", "messages[0]['role']", "users[0].name", "d.a", "bos_token", "nested.x.y.z", "loopy[1]", "ls[0]"],
           "methods": METHODS[:33] + METHODS[-8:-6], "filters": ["upper", "lower", "trim", "title", "capitalize", "replace('l', 'L')", "replace('', '.')", "string", "default('x')", "indent(2)", "tojson",
                                                   "reverse", "first", "last", "list", "length", "int", "float", "join('-')", "trim('Hd ')", "list|sort|join", "unique|list", "map('upper')|join"]}
    NUM = {"atoms": ["i", "j", "z", "f", "g", "yes", "no", "1", "2", "-3", "0.5", "loopy|length", "messages|length", "tiny", "big", "users[1].age"], "methods": [""],
           "filters": ["abs", "int", "float", "string", "default(3)", "tojson", "string|length"]}
    LIST = {"atoms": ["l", "ls", "messages", "users", "empty", "loopy", "range(4)", "[1, 'a']", "(1, 2)", "nested['items']", "s.split('l')", "lines.splitlines()", "d.items()|list", "messages[1:]"],
            "methods": ["[0]", "[-1]", "[1:]", "[::-1]", "[:2]", "[5]", "[-2:]", ".count(1)", "[0]|string"], "filters": FILTERS[12:14] + ["list", "first", "last", "length", "join", "join(', ')", "reverse|list",
            "tojson", "string", "map('string')|join('/')", "select('string')|list", "reject('string')|list", "map(attribute='role')|list", "selectattr('role', 'defined')|list|length",
            "selectattr('name', 'defined')|map(attribute='name')|sort|join", "map('tojson')|list", "sort|list", "unique|list", "max", "min", "sort(attribute='name')", "sort(attribute='age,name', reverse=true)"]}
    DICT = {"atoms": ["d", "nested", "ed", "users[0]", "messages[1]", "messages[2]", "{'k': 1, 'b': [2]}", "dict(q=1, a='z')", "messages[2].tool_calls[0].function"],
            "methods": [".a", ".b", ".items()|list", ".keys()|list", ".values()|list", ".get('a')", ".get('zz', 1)", "['name']", ".role", ".x", ".missing", "['items']", ".arguments"],
            "filters": ["tojson", "tojson(indent=2)", "tojson(sort_keys=true)", "length", "list", "items|list", "string", "dictsort", "join", "first", "dictsort|map('first')|join", "default({})"]}

    def typed(self, depth):
        kind = self.pick(["STR", "STR", "STR", "NUM", "LIST", "LIST", "DICT"])
        return self.of(kind, depth)

    def of(self, kind, depth):
        table = getattr(self, kind)
        out = self.pick(table["atoms"])
        if depth > 0 and self.chance(0.35):
            joined = {"STR": [" ~ ", " + ", " ~ ", " in ", " == ", " < ", " or ", " and "], "NUM": [" + ", " - ", " * ", " / ", " // ", " % ", " < ", " == ", " >= ", " and ", " or "],
                      "LIST": [" + ", " == ", " != ", " or ", " and "], "DICT": [" == ", " or ", " and "]}[kind]
            out = "(" + out + self.pick(joined) + self.of(kind, depth - 1) + ")"
            return out if self.chance(0.6) else out + "|" + self.pick(["string", "tojson", "default('')"])
        if self.chance(0.4):
            out = ("(%s)" % out if out[0] in "-0123456789" else out) + self.pick(table["methods"])
        if self.chance(0.4):
            out += "|" + self.pick(table["filters"])
        if self.chance(0.12):
            out = "(" + out + " is " + self.pick(["", "not "]) + self.pick(TESTS0[:14]) + ")"
        if depth > 0 and self.chance(0.12):
            out = "(" + out + " if " + self.typed(depth - 1) + self.pick([" else " + self.typed(depth - 1), ""]) + ")"
        if depth > 0 and self.chance(0.15):
            out += self.pick([" ~ ", " ~ ", " and ", " or ", " in ", " == "]) + self.typed(depth - 1)
        return out

    # Statements.
    def text(self):
        return self.pick(["", " ", "\n", "  \n", "\n  ", "x", "<|a|>", " text\n", "\n\n", "\t", " { ", "} ", "{# note #}", "{#- n -#}", "{# a\n b #}\n", "\u00e9", "{% raw %} {{ r }}{% endraw %}"])

    def tag(self, inside):
        return "{%" + self.pick(["", "", "-", "+"]) + " " + inside + " " + self.pick(["", "", "-", "+"]) + "%}"

    def output(self, depth=2):
        return "{{" + self.pick(["", "", "-"]) + " " + self.expression(depth) + " " + self.pick(["", "", "-"]) + "}}"

    def simple(self, loop=False):
        if not loop and self.chance(0.9):
            return "{{ " + self.pick(["v", "w", "s", "i", "x", "x ~ v", "ns.a", "ns.b", "v ~ ns.a", *(["mac(1)", "mac()", "mac(v, b=2)", "mac(a=s)", "mac(v, w)"] if self.macro else [])]) + " }}"
        return "{{ " + self.pick(["v", "w", "s", "i", "loop.index", "loop.first", "loop.last", "loop.length", "loop.revindex", "loop.revindex0", "loop.previtem", "loop.nextitem", "x", "ns.a", "ns.b",
                                  "loop.cycle('a', 'b')", "loop.changed(v)", "loop.index0", "loop is defined", "loop.depth", *(["mac(1, 2, 3)", "mac(c=1)", "mac(loop.index)"] if self.macro else []), "x ~ v", "loop.missing"]) + " }}"

    def block(self, depth, loop=False):
        out = self.text()
        for _ in range(self.r.randrange(1, 4)):
            out += self.statement(depth - 1, loop) + self.text()
        return out

    def target(self):
        return self.pick(["v", "w", "x", "s", "i", "v, w", "ns.a", "ns.b", "messages", "bos_token", "(v, w)", "ns.a, v"])

    def iterable(self):
        return self.pick(["l", "ls", "messages", "d", "d.items()", "d|dictsort", "s", "range(4)", "empty", "missing", "users", "nested.items", "loopy", "users|map(attribute='name')", "messages[1:]", "messages[::-1]",
                          "[[1, 2], [3, 4]]", "d|items", "mixed", self.expression(1)])

    def statement(self, depth, loop):
        if depth <= 0 or self.chance(0.3):
            return self.simple(loop) if self.chance(0.5) else self.output()
        k = self.r.randrange(14)
        if k < 3:
            out = self.tag("if " + self.expression(1)) + self.block(depth, loop)
            while self.chance(0.25):
                out += self.tag("elif " + self.expression(1)) + self.block(depth, loop)
            if self.chance(0.5):
                out += self.tag("else") + self.block(depth, loop)
            return out + self.tag("endif")
        if k < 7:
            out = self.tag("for " + self.pick(["x", "v", "x, y", "v, w", "m", "i"]) + " in " + self.iterable() +
                           (" if " + self.pick(["x", "v", "x is not none", "loop is defined", "v != 1", "ns.a", "x is string", "m.role == 'user'", self.expression(1)]) if self.chance(0.3) else ""))
            out += self.block(depth, True)
            if self.chance(0.25):
                out += self.tag("else") + self.block(depth, loop)
            return out + self.tag("endfor")
        if k < 10:
            return self.tag("set " + self.target() + " = " + self.pick([self.expression(2), "1, 2", "(1, 2)", "ns.a ~ 'q'", "v ~ 1"]))
        if k == 10:
            return self.tag("set " + self.pick(["v", "w", "x", "ns.a"]) + self.pick(["", "", " | upper", " | trim | replace('a', 'b')"])) + self.block(depth, loop) + self.tag("endset")
        if k == 11 and loop:
            return self.tag("if " + self.pick(["loop.index == 2", "x", "v == 1", self.expression(1)])) + self.tag(self.pick(["break", "continue"])) + self.tag("endif")
        if k == 12:
            return self.tag("generation") + self.block(depth) + self.tag("endgeneration")
        return self.tag("set ns = namespace(%s)" % self.pick(["", "a=1", "a='', b=[]", "d"]))

    def template(self):
        if self.chance(0.35):
            return self.output(self.r.randrange(1, 4))
        out = self.text()
        if self.chance(0.7):
            out += "{%- set ns = namespace(a=1, b='') %}"
        if self.chance(0.3):
            out += self.tag("macro mac(a, b=%s)" % self.pick(["5", "v", "a", "s"])) + self.block(2) + "{{ a ~ b }}" + self.tag("endmacro")
            self.macro = True
        for _ in range(self.r.randrange(1, 5)):
            out += self.statement(self.r.randrange(1, 5), False) + self.text()
        return out + self.pick(["", "", "\n", "\n\n"])


def template(seed):
    return Maker(seed).template()
