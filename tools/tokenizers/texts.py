"""Texts that tokenizers disagree about: scripts, marks, blanks, emoji, code, long words, special-token spellings.

`Texts(random, points)` answers one text a call and takes code points in turn from the shuffled list that it is
given, so that a run of enough texts holds every code point. All randomness is the caller's.
"""

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]

SPECIALS = ["<pad>", "<unk>", "<s>", "</s>", "<mask>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ("the hello world cafe caf\u00e9 Hello WORLD unbelievable tokenizer tokenizers tokens stra\u00dfe na\u00efve it's they'll I'VE "
         "don't we're THEY'RE note book one line a I in of to and running runs ran quick brown fox jumps over lazy dog "
         "3.14 1,000,000 2024-11-29 v1.2.3 e-mail user@example.com https://example.com/a?b=c&d=%20 C++ #tag @name $5.00 "
         "50% O'Neill rock'n'roll \u2019tis it\u2019s \u201cquoted\u201d \u2014 \u2026 foo_bar fooBar FooBar FOO_BAR __init__ 0x1F 1e-9").split()
CODE = ["def f(x):\n    return x + 1\n", "if (a && b) {\n\t\tc[i]++;\n}\n", "#include <vector>\r\n", "for i in range(10):\n\n\n    pass",
        "SELECT * FROM t WHERE a='b';", "<div class=\"x\">&nbsp;</div>", "{\"k\": [1, 2, null]}", "x = y ** 2 // 3  # note\n",
        "\\frac{a}{b}", "std::vector<int>()", "a->b.c::d", "// ----------\n", "/* ** */", "=>===!=<=>"]
BLANKS = [" ", "  ", "   ", "\t", "\n", "\r\n", "\r", "\n\n", " \n", "\n ", "\t\t", "\u00a0", "\u3000", "\u2028", "\u2029", "\u0085", "\x0b", "\x0c",
          "\u200b", "\u200d", "\ufeff", "\u180e", "\u2000", "\u202f", "\u205f", "\u1680", "\x1c", "\x1f", "\u2581", "\u2581\u2581"]
CONTROLS = ["\0", "\x01", "\x07", "\x1b", "\x7f", "\x80", "\x9f", "\u00ad", "\u200e", "\u200f", "\u202a", "\u2060", "\ufff9", "\ufffd", "\ufffe",
            "\uffff", "\ue000", "\U000e0001", "\U000f0000", "\U0010ffff"]
MARKED = ["e\u0301", "\u1e69", "s\u0323\u0307", "s\u0307\u0323", "\u0344", "\u0f73\u0334", "\u1100\u1161\u11a8", "\uac00\u11a8", "\u212b", "\ufb01", "\u00bd",
          "\u2460", "\u0130", "\u03a3", "\u1e9e", "\u304b\u3099", "\u09c7\u09be", "\u0dd9\u0dcf\u0dca", "\ufdfa", "\u1f82", "\u0345\u0300", "\u00b4", "i\u0307",
          "\uff76\uff9e", "\uff21\uff11", "\u33a5", "\u2126", "\u0958", "\u2adc", "\U0001d160", "\U0002f800", "\u01c4", "\u0149", "\u1fb7", "\u0e33", "\u0eb3",
          "\u03bf\u03b4\u03cc\u03c2", "\u039f\u0394\u039f\u03a3", "\u03a3\u03a3", "A\u03a3\u0301", "A\u03a3.", "\u1112\u1161\u11ab", "\u11a8", "\u1160", "\ud7b0", "\uac01\u0301"]
EMOJI = ["\U0001f600", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f1e9\U0001f1ea", "\U0001f1fa\U0001f1f8\U0001f1eb",
         "\u2764\ufe0f", "\u2764\ufe0f\u200d\U0001f525", "1\ufe0f\u20e3", "\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f9d1\U0001f3ff\u200d\U0001f52c", "\u263a\ufe0e", "\U0001f3fb",
         "\U0001f363", "\u00a9\ufe0f", "\U0001fae0", "\U0001f469\U0001f3fe\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3fb"]
MARKS = [0x300, 0x301, 0x307, 0x308, 0x316, 0x323, 0x334, 0x345, 0x5B0, 0x64B, 0x93C, 0x94D, 0xE31, 0x0F71, 0x302A, 0x3099, 0x1D165, 0x1E8D0]
# What is spelt like a special or an added token, or nearly.
SPELT = SPECIALS + ["<S>", "< s>", "[cls]", "[ SEP ]", "<m>", "<M>", "<m>x", "<m", "Caf\u00c9", "CAF\u00c9", "cafe\u0301", " y", "\u4f60z", "Zz", "zz", "ab",
                    "abab", "<0x0A>", "<0xE2>", "<|endoftext|>", "<|im_start|>user\n", "\u2581<m>", "\u00e9\u00e9", "</w>", "##ing"]
# Blocks by script: name, first and last code point of its letters.
SCRIPTS = {
    "latin": (0x61, 0x7A), "upper": (0x41, 0x5A), "latin-1": (0xC0, 0xFF), "latin-a": (0x100, 0x24F), "ipa": (0x250, 0x2FF), "greek": (0x391, 0x3C9),
    "cyrillic": (0x410, 0x44F), "armenian": (0x531, 0x587), "hebrew": (0x5D0, 0x5EA), "arabic": (0x620, 0x652), "syriac": (0x710, 0x74A),
    "thaana": (0x780, 0x7B1), "devanagari": (0x901, 0x970), "bengali": (0x981, 0x9FE), "gurmukhi": (0xA01, 0xA76), "tamil": (0xB82, 0xBFA),
    "telugu": (0xC00, 0xC7F), "kannada": (0xC80, 0xCF3), "malayalam": (0xD00, 0xD7F), "sinhala": (0xD81, 0xDF4), "thai": (0xE01, 0xE5B),
    "lao": (0xE81, 0xEDF), "tibetan": (0xF00, 0xFDA), "myanmar": (0x1000, 0x109F), "georgian": (0x10A0, 0x10FF), "jamo": (0x1100, 0x11FF),
    "ethiopic": (0x1200, 0x137C), "cherokee": (0x13A0, 0x13FD), "khmer": (0x1780, 0x17F9), "mongolian": (0x1800, 0x18AA), "vietnamese": (0x1EA0, 0x1EF9),
    "greek-ext": (0x1F00, 0x1FFE), "punctuation": (0x2000, 0x206F), "symbols": (0x2070, 0x23FF), "dingbats": (0x2500, 0x27BF),
    "glagolitic": (0x2C00, 0x2C5F), "coptic": (0x2C80, 0x2CFF), "radicals": (0x2E80, 0x2FDF), "cjk-marks": (0x3000, 0x303F), "hiragana": (0x3041, 0x309F),
    "katakana": (0x30A0, 0x30FF), "bopomofo": (0x3105, 0x312F), "cjk": (0x4E00, 0x4FFF), "cjk-2": (0x9000, 0x9FFF), "yi": (0xA000, 0xA48C),
    "hangul": (0xAC00, 0xAE00), "cjk-compat": (0xF900, 0xFAD9), "forms-a": (0xFB00, 0xFDFF), "forms-b": (0xFE00, 0xFEFC), "wide": (0xFF00, 0xFFEE),
    "gothic": (0x10330, 0x1034A), "deseret": (0x10400, 0x1044F), "cuneiform": (0x12000, 0x12399), "music": (0x1D100, 0x1D1E8), "maths": (0x1D400, 0x1D7FF),
    "adlam": (0x1E900, 0x1E95F), "emoji": (0x1F300, 0x1F64F), "cjk-b": (0x20000, 0x20100), "cjk-compat-2": (0x2F800, 0x2FA1D), "ascii": (0x20, 0x7E),
}
COMMON = ["latin"] * 12 + ["upper", "ascii", "ascii", "cjk", "hangul", "cyrillic", "arabic", "devanagari", "hiragana", "thai"]


class Texts:
    def __init__(self, random, points=()):
        self.random = random
        self.points = points
        self.used = 0
        kinds = [(self.sentence, 24), (self.one_script, 14), (self.in_turn, 14), (self.mixture, 28), (self.code, 4), (self.special, 7),
                 (self.marks, 4), (self.blanks, 3), (self.digits, 3), (self.repeated, 3), (self.emoji, 3), (self.long_word, 0.5),
                 (self.empty, 1)]
        self.kinds = [kind for kind, _ in kinds]
        self.weights = []
        total = 0
        for _, weight in kinds:
            total += weight
            self.weights.append(total)

    def text(self):
        return self.random.choices(self.kinds, cum_weights=self.weights)[0]()

    def script(self):
        r = self.random
        return SCRIPTS[r.choice(COMMON) if r.random() < 0.4 else r.choice(list(SCRIPTS))]

    def word(self, low, high, most=9):
        r = self.random
        return "".join([chr(r.randint(low, high)) for _ in range(r.randint(1, most))])

    def sentence(self):
        r = self.random
        words = r.choices(WORDS, k=r.randint(1, 14))
        if r.random() < 0.3:
            words[r.randrange(len(words))] = r.choice(MARKED + EMOJI + SPELT)
        return r.choice([" ", " ", " ", " ", "  ", "", "\n", "\u2581"]).join(words) + r.choice(["", "", ".", "!", " ", "\n", "?!"])

    def one_script(self):
        r = self.random
        low, high = self.script()
        return " ".join([self.word(low, high) for _ in range(r.randint(1, 6))])

    def in_turn(self):
        count = self.random.choice((1, 2, 3, 8, 20, 20, 40))
        if not self.points:
            return self.one_script()
        start = self.used % len(self.points)
        self.used += count
        return "".join(map(chr, self.points[start:start + count]))

    def code(self):
        return "".join(self.random.choices(CODE + WORDS, k=self.random.randint(1, 5)))

    def special(self):
        r = self.random
        parts = r.choices(SPELT, k=r.randint(1, 4))
        return "".join([part + r.choice(("", " ", "  ", "a", "\u00e9", "\n", r.choice(WORDS), r.choice(BLANKS))) for part in parts])

    def marks(self):
        r = self.random
        out = []
        for _ in range(r.randint(1, 5)):
            out.append(r.choice(MARKED + WORDS))
            out += [chr(c) for c in r.choices(MARKS, k=r.choice((0, 1, 2, 3, 12)))]
        return "".join(out)

    def blanks(self):
        r = self.random
        return "".join([r.choice(BLANKS) * r.choice((1, 1, 2, 7)) + r.choice(WORDS + CONTROLS) for _ in range(r.randint(1, 5))]) + r.choice(BLANKS)

    def digits(self):
        r = self.random
        low = r.choice((0x30, 0x30, 0x30, 0x660, 0x966, 0xFF10, 0x1D7CE, 0xB2, 0x2460, 0x2160))
        return " ".join([self.word(low, low + 9, r.choice((1, 4, 12))) + r.choice(("", "", ".", ",", "%", "a")) for _ in range(r.randint(1, 4))])

    def repeated(self):
        r = self.random
        unit = r.choice(("a", "b", " ", "\n", "_", "!", "0", "ab", "\u00e9", "\u4f60", "\u0301", "\U0001f600", "\u2581", ".", "=", "\t", "aA", "\u1100\u1161", "<s>"))
        return unit * r.choice((2, 3, 5, 6, 9, 16, 33, 99, 100, 101, 128))

    def emoji(self):
        r = self.random
        return r.choice(("", " ", "a")).join(r.choices(EMOJI, k=r.randint(1, 4)))

    def long_word(self):
        r = self.random
        low, high = self.script()
        unit = self.word(low, high, r.choice((1, 3, 30)))
        return unit * (r.randint(200, 3000) // len(unit))

    def empty(self):
        return self.random.choice(("", "", " ", "\n", "   ", "\u2581", "\u0301", "\u200b", "\0"))

    def mixture(self):
        r = self.random
        out = []
        for _ in range(r.choice((2, 2, 3, 4, 6))):
            kind = r.randrange(9)
            if kind < 2:
                out.append(r.choice(WORDS))
            elif kind == 2:
                out.append(r.choice(BLANKS))
            elif kind == 3:
                out.append(r.choice(SPELT))
            elif kind == 4:
                out.append(r.choice(MARKED))
            elif kind == 5:
                out.append(r.choice(EMOJI if r.random() < 0.6 else CONTROLS))
            elif kind == 6:
                out.append(self.word(*self.script()))
            elif kind == 7:
                out.append(self.in_turn())
            else:
                out.append(r.choice(" \n.,-'\u2581") * r.choice((1, 1, 2, 3)))
        return "".join(out)
