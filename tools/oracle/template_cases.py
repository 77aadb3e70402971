"""Conversations for tools/oracle/make_template_goldens.py: plain ones, and what templates stumble over."""

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
USER, ASSISTANT, SYSTEM, TOOL = "user", "assistant", "system", "tool"


def said(role, content, **more):
    return {"role": role, "content": content, **more}


WEATHER = {"type": "function", "function": {
    "name": "weather", "description": "The weather of a place <now> & 'later'.",
    "parameters": {"type": "object", "required": ["place"], "properties": {
        "place": {"type": "string", "description": "A place: \u6771\u4eac, \"K\u00f6ln\""},
        "days": {"type": "integer", "default": 3, "items": None},
        "unit": {"type": "string", "enum": ["C", "F"]}}}}}
SEARCH = {"type": "function", "function": {
    "name": "search", "description": "Finds.\nSecond line.", "return": {"type": "string"},
    "parameters": {"type": "object", "properties": {
        "words": {"type": "array", "items": {"type": "string"}}, "either": {"type": ["string", "null"]},
        "limits": {"type": "object", "properties": {"from": {"type": "number", "default": 0.5}}, "required": ["from"]}}}}}
BARE = {"type": "function", "function": {"name": "noon", "description": "", "parameters": {}}}

CALL = {"id": "abcdefgh1", "type": "function", "function": {"name": "weather", "arguments": {
    "place": "M\u00fcnchen \u2603 \U0001f600", "days": 2, "wind": None, "warm": True, "share": 0.1, "tags": [], "of": {}}}}
AWKWARD = "quotes ' \" \\ and <b>&amp;</b>\ttab\u00a0nbsp\u2028sep \u0000nul e\u0301 \U0001f468\u200d\U0001f469 {{ x }} {% y %}"

CHATS = {
    "one question": [said(USER, "What is tea?")],
    "instructions": [said(SYSTEM, "Be short."), said(USER, "What is tea?"), said(ASSISTANT, "A drink."), said(USER, "Hot?")],
    "blanks": [said(SYSTEM, "  \n Be short.\n\n"), said(USER, "\n\n  leading and trailing \t\n"), said(ASSISTANT, "   ")],
    "empty texts": [said(SYSTEM, ""), said(USER, ""), said(ASSISTANT, "")],
    "awkward": [said(USER, AWKWARD), said(ASSISTANT, AWKWARD[::-1]), said(USER, "\u2603" * 3 + "\r\nline\rend")],
    "two questions": [said(USER, "one"), said(USER, "two"), said(SYSTEM, "late"), said(ASSISTANT, "three")],
    "no content": [{"role": USER}, {"role": ASSISTANT, "content": None}],
    "no role": [{"content": "who?"}],
    "null keys": [said(USER, "hi", name=None, tool_calls=None), said(ASSISTANT, None, tool_calls=[CALL])],
    "numbers": [said(USER, 5), said(ASSISTANT, 1.5), said(USER, True)],
    "parts": [said(USER, [{"type": "text", "text": " see "}, {"type": "image"}, {"type": "text", "text": "this"}]),
              said(ASSISTANT, [{"type": "text", "text": "seen"}])],
    "system parts": [said(SYSTEM, [{"type": "text", "text": "Look."}]), said(USER, [{"type": "image"}])],
    "tools": [said(SYSTEM, "Use them."), said(USER, "Rain?"), said(ASSISTANT, "", tool_calls=[CALL]),
              said(TOOL, "{\"rain\": true}", tool_call_id="abcdefgh1"), said(TOOL, {"content": 21.0}, tool_call_id="x"),
              said(ASSISTANT, "Yes."), said(USER, "Thanks")],
    "two calls": [said(USER, "Rain?"), said(ASSISTANT, "Let me see.", tool_calls=[
        CALL, {"id": "abcdefgh2", "function": {"name": "search", "arguments": "{\"words\": [1]}"}}]),
        said(TOOL, "no"), said(ASSISTANT, "No.")],
    "thinking": [said(USER, "Q"), said(ASSISTANT, "<think>\nhm\n</think>\n\nA"), said(USER, "R"),
                 said(ASSISTANT, "B", reasoning_content="\nso\n"), said(TOOL, "<result>x</result>"),
                 said(ASSISTANT, "<think>x</think>y<think>z</think>w"), said(USER, "<result>1</result>"),
                 said(ASSISTANT, "C", thinking="older name")],
    "query and document": [said("query", "what is tea"), said("document", "Tea is a drink.\nIt is hot.")],
    "query, document, system": [said(SYSTEM, "Judge."), said("query", " q "), said("document", "")],
    "awkward pair": [said("query", AWKWARD), said("document", AWKWARD)],
    "pair of parts": [said("query", [{"type": "text", "text": "a"}]),
                      said("document", [{"type": "image"}, {"type": "text", "text": "b"}, {"type": "text", "text": "c"}])],
    "document first": [said("document", "d"), said("query", "q")],
    "developer": [said("developer", "d1"), said("system", "d2"), said(USER, "u"), said("developer", "d3")] +
                 [said(USER, str(i)) for i in range(8)],
    "same role": [said(USER, "a\nb\n\nc"), said(USER, "d"), said(ASSISTANT, "e")],
}

# What each conversation is rendered with besides.
SETTINGS = [
    {},
    {"add_generation_prompt": True},
    {"tools": [WEATHER, SEARCH, BARE], "add_generation_prompt": True},
    {"tools": [], "variables": {"enable_thinking": False, "tools_first": False, "today": "1 May"}, "add_generation_prompt": True},
    {"tools": [WEATHER], "variables": {"tools_first": False, "bos_token": "<other>"}},
    {"documents": [{"title": "on tea-leaves (green)", "text": "a\nb"}, {"name": "b", "text": "c"}, {"text": ""}],
     "variables": {"controls": {"length": "short", "Depth": 2, "none": None}}, "add_generation_prompt": True},
]
# Templates that are only for some conversations; the others see all.
ONLY = {
    "judge_reranker": ("one question", "instructions", "query and document", "query, document, system", "awkward pair",
                       "pair of parts", "document first", "no content"),
    "pair_reranker": ("one question", "query and document", "query, document, system", "awkward pair", "pair of parts",
                      "document first", "numbers"),
    "yes_no_reranker": ("one question", "query and document", "query, document, system", "awkward pair", "document first"),
}
ALL_SETTINGS = ("instructions", "tools", "thinking", "query, document, system")
