"""The texts that the goldens embed. Each is there for a reason that a short one would not show."""

WORDS = (
    "the a of and to in is it on as that with for was quick brown fox jump jumps over lazy dog river bank "
    "water light night stone city read reading un ##able ##believ ##ing ##ed ##s ##er re word words don t "
    "hello world tea ramen cafe naive creme brulee zurich istanbul strasse fine number three model vector "
    "small large very cold warm green Hello World The Zürich café naïve Istanbul straße 東 京 我 喜 欢 "
    "query document search left right"
).split()

LONG = " ".join(f"{WORDS[(7 * i + i * i) % 60].lstrip('#')}{'.' if i % 11 == 10 else ''}" for i in range(400))

COMMON = [
    "",  # special tokens only
    "river",  # one row beside the special tokens
    "The quick brown fox jumps over the lazy dog.",
    "Crème brûlée à Zürich — naïve café, cafe\u0301",  # accents, composed and not
    "我喜欢 tea and 東京ramen!",  # ideographs are words of their own
    "tab\tnew\nline\u00a0nbsp\u200bzero\u2028sep\ufffd\x00end",  # blanks, controls, replacement
    "🙂🙃 ok 👍🏽 ∑ 𝒳 Ａｂｃ１２３",  # beyond the BMP, symbols, full width
    "ISTANBUL İstanbul ﬁne STRASSE straße ΑΣ",  # lower casing that changes lengths
    "re-reading: words' (don't) [SEP] 3.14% left[MASK]right",  # punctuation, special tokens inside a text
    "unbelievableing " + "x" * 130,  # past the longest word that WordPiece looks at
    LONG,  # past every limit
]
