"""Split patterns of published tokenizers, and small ones of every construct."""

WORDS_END = r"|\s+(?!\S)|\s+"
FOUND = {  # by the tokenizer that made them known
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+" + WORDS_END,
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]" + WORDS_END,
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+" + WORDS_END,
    "qwen2": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+" + WORDS_END,
    "qwen3.5": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+" + WORDS_END,
    "o200k": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
             r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
             r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+" + WORDS_END,
    "tekken": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|"
              r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|"
              r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+" + WORDS_END,
    "deepseek3 cjk": "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "deepseek3": r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|"
                 r"\s*[\r\n]+" + WORDS_END,
    "deepseek lines": r"[\r\n]", "deepseek letters": r"\s?\p{L}+", "deepseek punctuation": r"\s?\p{P}+",
    "deepseek cjk": "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
    "bloom": " ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+",
    "digits 3": r"\p{N}{1,3}", "triples": r"\d{1,3}(?=(?:\d{3})*\b)", "starcoder": r"\p{N}",
}
SMALL = [r"\s+", r"\s", r" ", r"  +", r"\w+|[^\w\s]+", r"[^\w\s]", r".", r"\d", r"\d+", r"\D+", r"\S+", r"\S+\s*", r"[a-z]+", r"[^a-z]+", r"(?i)the",
         r"(?<=a)b", r"(?<!a)b", r"a(?=b)", r"a(?!b)", r"\bthe\b", r"\b", r"x*", r"a*?b", r"(?:a|ab)(?:c|bcd)?", r"\p{Han}", r"\p{Lu}", r"\p{M}+",
         r"\p{P}", r"\p{S}+", r"[\p{L}\p{N}]+", r"[[:punct:]]", r"[[:alpha:]]+", r"\n", r"\r?\n", r"^\s+|\s+$", r"^the", r"e$", "\u2581", "\u00e9",
         "[\u00e0-\u00ff]+", r"\x{4f60}", r"(?:\p{L}\p{M}*)+", r"a{2,3}", r"a{2,}", r"(a)(b)", r"[ -~]+", r"\.", r"'[st]",
         r"(?>a+)b", r"a++", r"\h", r"\R", r"\X", r"\K", r"\G", r"(a)\1", r"(?<name>a)", r"(?m)^a", r"(?s).+", r"(?x) a b", r"\A\s", r"\s\z", r"\s\Z",
         r"[^\S\n]+", r"[a-z&&[^aeiou]]+", r"\p{Greek}+", r"\p{Script=Greek}", r"\p{^L}+", r"\P{L}+", "(?i:\u00e9)", r"[[:space:]]",
         r"\p{Alnum}+", r"[^[:alnum:]]"]
