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

# Small templates whose answer is not what one would guess, over template_random.CONTEXT.
QUIRKS = [
    # Which variable a name means.
    "{% for x in l %}{{ bos_token }}{% endfor %}{% set bos_token = 'set' %}{{ bos_token }}",
    "{% for x in l %}{% for y in l %}{{ s }}{% endfor %}{% set s = 'q' %}{% endfor %}{{ s }}",
    "{% if yes %}{% set s = 1 %}{% endif %}{{ s }}", "{% if no %}{% set s = 1 %}{% endif %}{{ s }}",
    "{% if no %}{% set s = 1 %}{% else %}{{ s }}{% endif %}", "{% if no %}{% set q = 1 %}{% elif yes %}{{ q }}{% set q = 2 %}{% endif %}{{ q }}",
    "{% for x in l %}{% if loop.first %}{% set v = x %}{% endif %}[{{ v }}]{% endfor %}{{ v }}",
    "{% for x in l %}{{ v }}{% set v = x %}{{ v }}{% endfor %}", "{% set v = 0 %}{% for x in l %}{% set v = v + x %}{{ v }}{% endfor %}{{ v }}",
    "{% set x = 'out' %}{% for x in l %}{{ x }}{% endfor %}{{ x }}", "{% for x in l %}{% else %}{{ x }}{% endfor %}{{ x }}",
    "{% set v %}{% set w = 1 %}{{ w }}{% endset %}{{ v }}{{ w }}", "{% generation %}{% set v = 1 %}{{ v }}{% endgeneration %}{{ v }}",
    "{% set v = 5 %}{% generation %}{{ v }}{% set v = 1 %}{{ v }}{% endgeneration %}{{ v }}",
    "{% macro m(a) %}{{ a }}{{ s }}{{ v }}{% endmacro %}{{ m(1) }}{% set v = 2 %}{{ m(3) }}", "{{ m }}{% if m is defined %}x{% endif %}",
    "{% for x in l %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro m(a, b=a) %}{{ a }},{{ b }}{% endmacro %}{{ m(1) }}{{ m(b=2) }}{{ m() }}",
    "{% macro m(n) %}{{ n }}{% if n > 0 %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(4) }}", "{% macro m() %}{% set s = 1 %}{{ s }}{% endmacro %}{{ m() }}{{ s }}",
    "{% set messages = messages[1:] %}{{ messages|length }}{% for m in messages %}{{ m.role }}{% endfor %}",
    # Loops.
    "{% for x in l %}{% continue %}{% else %}else{% endfor %}", "{% for x in l %}{% break %}{% else %}else{% endfor %}", "{% for x in l %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% else %}else{% endfor %}",
    "{% for x in l if x > 1 %}{{ loop.index }}/{{ loop.length }}{{ loop.last }}{{ loop.previtem }}{{ loop.nextitem }} {% endfor %}",
    "{% for k, v in d.items() if k != 'a' %}{{ loop.previtem }}{{ k }}{{ loop.nextitem }}{% endfor %}", "{% for x in 'ab' %}{{ x }}{{ loop.revindex }}{% endfor %}",
    "{% set ns = namespace(on=true) %}{% for x in l if ns.on %}{{ x }}{% set ns.on = false %}{% endfor %}",
    "{% set ns = namespace(on=true) %}{% for x in l if ns.on %}{{ x }}{{ loop.last }}{% set ns.on = false %}{% endfor %}",
    "{% for x in l %}{% set o = loop %}{% for y in ls %}{{ o.index }}{{ loop.index }} {% endfor %}{% endfor %}", "{% for x in l if loop is defined %}{{ x }}{% else %}none{% endfor %}",
    "{% for x in [1, 1, true, none, none] %}{{ loop.changed(x) }}{{ loop.cycle('a', 'b') }}{% endfor %}", "{% for x, y in [[1, 2], 'ab', {'k': 1, 'l': 2}] %}{{ x }}{{ y }}{% endfor %}",
    "{% for (x, y), z in [((1, 2), 3)] %}{{ x }}{{ y }}{{ z }}{% endfor %}", "{% for x in users|map(attribute='name') %}{{ loop.length }}{{ x }}{% endfor %}",
    "{% for x in missing %}{{ x }}{% else %}nothing{% endfor %}",
    "{% set g = l|map('string') %}{{ g|join }}{{ g|join }}", "{% set g = ls|select %}{{ g|first }}{{ g|first }}{{ 'B' in g }}{{ g|list }}", "{% set g = mixed|map('upper') %}{% set h = [none]|map('items') %}{{ g|first }}",
    # Methods before keys; what is undefined.
    "{{ nested.items is callable }}{{ nested['items'] }}{{ nested.keys is mapping }}{{ nested['keys'] }}{{ nested.get is callable }}{{ nested['get'] }}", "{{ d.pop is defined }}{{ d['pop'] is defined }}{{ l.append is defined }}",
    "{{ s[''] is defined }}{{ d['get items'] is defined }}{{ d['et'] is defined }}{{ l['copy'] is callable }}",
    "{{ nil.x is defined }}{{ nil.x }}{{ nil['x'] is undefined }}{{ i.x is defined }}{{ s.x is defined }}{{ s[99] is defined }}{{ l['x'] is defined }}{{ l[true] }}{{ l[1.0] is defined }}",
    "{{ missing }}{{ missing is none }}{{ missing|length }}{{ missing == nope }}{{ missing|default('d') }}{{ [missing] }}{{ 'x' in missing }}{{ missing is sequence }}{{ missing is iterable }}{{ missing is callable }}",
    "{{ ('a' if no) }}|{{ ('a' if no) is defined }}|{{ ('a' if yes) }}", "{{ missing.x }}", "{{ missing + 1 }}", "{{ missing() }}", "{{ 'a' + missing }}", "{{ missing < 1 }}",
    "{{ d[missing] is defined }}{{ missing in d }}{{ d.get(missing) }}", "{{ missing ~ nil ~ yes ~ 1.0 }}", "{{ nested.x.nope.z }}", "{{ messages[0].nope.role }}",
    # Numbers and texts.
    "{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ -7.5 // 2 }} {{ 7.5 % -2 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ 2 ** -1 }} {{ 2 ** 62 }} {{ 0.1 + 0.2 }} {{ 1e16 }} {{ 1e15 }} {{ 1e-4 }} {{ 1e-5 }} {{ 123456789.125 }}",
    "{{ true + 1 }} {{ true == 1 }} {{ [1, true, 1.0]|unique|list }} {{ 1 in [true] }} {{ {1: 'a', true: 'b'} }} {{ 1 < 2 < 3 }} {{ 3 > 2 < 1 }} {{ 1 == 1.0 in [1] }}", "{{ not yes or i }} {{ nil or e or 'z' }} {{ s and i }} {{ nil and s }}",
    "{{ 'a' * 3 }}{{ [1] * 2 }}{{ 'a' * -1 }}{{ 2 * 'b' }}{{ (1,) * 2 }}{{ 'a' 'b' \"c\" }}", "{{ 'x' < 'y' }}{{ [1, 2] < [1, 3] }}{{ (1, 2) < (1, 2, 3) }}{{ [1, 'a'] == [1, 'a'] }}{{ {'a': 1, 'b': 2} == {'b': 2, 'a': 1} }}{{ [1] == (1,) }}",
    "{{ u }}|{{ [u] }}|{{ u|tojson }}|{{ u|tojson(ensure_ascii=true) }}", "{{ [\"it's\", 'say \"x\"', 'both \\' \"', '\\\\', '\\n\\t\\x07\\x7f\\xa0\\xad'] }}", "{{ '\\e\\d\\101\\x41\\u00e9\\U0001f600\\\n|\\é' }}",
    "{{ ''.split() }}{{ ''.split(',') }}{{ ' a  b '.split() }}{{ ' a  b '.split(' ') }}{{ 'a b c '.split(none, 1) }}{{ ' a b c'.rsplit(none, 1) }}{{ 'a,b,c'.rsplit(',', 1) }}{{ 'abc'.split('abc') }}",
    "{{ 'abc'.replace('', '-') }}{{ 'abc'.replace('', '-', 2) }}{{ 'aaa'.replace('a', 'b', 0) }}{{ 'abc'.find('', 3) }}{{ 'abc'.find('', 4) }}{{ u.find('中') }}{{ u[3:6] }}{{ u[-1:] }}{{ u|reverse }}{{ u|length }}",
    "{{ 'hello world-foo (bar) x_y'|title }}{{ 'hello world-foo'.title() }}{{ \"they're\"|title }}{{ 'ABC dEF'|capitalize }}", "{{ '42.9'|int }}{{ ' 7_0 '|int }}{{ 'x'|int(5) }}{{ '1e3'|int }}{{ 2.9|int }}{{ -2.9|int }}{{ '.5'|float }}{{ '5.'|float }}{{ 'x'|float }}{{ nil|int }}",
    "{{ [3, 1, 2]|sort }}{{ ls|sort }}{{ ls|sort(case_sensitive=true) }}{{ ls|unique|list }}{{ users|sort(attribute='age')|map(attribute='name')|join }}{{ users|sort(attribute='age', reverse=true)|map(attribute='name')|join }}{{ d|dictsort }}",
    "{{ users|map(attribute='tags')|list }}{{ users|map(attribute='tags.0', default='-')|list }}{{ users|selectattr('tags')|list|length }}{{ users|rejectattr('tags', 'defined')|map(attribute='name')|first }}",
    "{{ lines|indent }}|{{ lines|indent(2, true) }}|{{ lines|indent('> ', blank=true) }}|{{ ''|indent }}", "{{ d|tojson(indent=2) }}{{ {}|tojson(indent=2) }}{{ [[], {}, [1]]|tojson(indent=1) }}{{ {1: 2, none: 3, true: 4, 1.5: 5}|tojson }}",
    "{{ range(3)|list }}{{ range(3) }}{{ range(1, 10, 4) }}{{ range(5, 0, -2)|list }}{{ 2 in range(3) }}{{ range(4)[-1] }}{{ range(0)|first is defined }}", "{{ l[::-1] }}{{ l[-2:] }}{{ l[5:] }}{{ l[:-9] }}{{ s[::2] }}{{ s[4:1:-1] }}{{ l[nil:2] }}{{ l[yes:] }}",
    "{{ dict(a=1, b=2) }}{{ dict([('a', 1), ['b', 2]], c=3) }}{{ dict(d, a=0) }}{{ namespace(d, z=1).z }}", "{{ 5|string + 'x' }}{{ nil|string }}{{ 1.0|string }}{{ yes|lower }}{{ nil|upper }}{{ [1, 'a']|string }}{{ [1, none, 'x']|join('-') }}",
    # White space.
    "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n", "a\n  {%+ if yes +%}\n  b\n  {%- endif %}\n\nc\n\n", "a  {%- if yes -%}  b  {%- endif -%}  c", "  {# c #}  x\n  {#- c -#}  y\n\t{# c +#}\nz", "{{ s }}\n{{ s }}\n", "a\r\n{% if yes %}\r\nb\r{% endif %}\r\nc",
    "  {{ s }}  {%- set v = 1 %}\n  {{ v }}", "{% raw %}\n {{ x }} {% y %}\n  {% endraw %}\nz", "  {% raw -%}\n  a {%- endraw +%}\nb", "{%- for x in l -%}\n{{ x }}\n{%- endfor %}\n", "x {% for c in 'ab' %}  {{ c }}{% endfor %}  y", "x {{-'a'-}} {{+ 1 }} b",
    "{{ {'a': {'b': 1}}['a']['b'] }}{{ {'a': {'b': 1}} }}", "{% set v = {'a': 1} %}{{ v }}{%- if v.a == 1 %} x{%- endif -%}", "{{ '%}' }}{{ '}}' }}{% if '%}' %}x{% endif %}", "{ {{ 1 }} } {{ '{{' }} { % }",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set ns = namespace() %}{% set ns.x, a = 'xy' %}{{ ns.x }}{{ a }}", "{% set v | upper | replace('A', 'b') %}a{{ s }}{% endset %}{{ v }}",
    "{{ strftime_now('%Y-%m-%d %H:%M:%S %j %a %A %b %B %y %I %p %%') }}", "{{ raise_exception('no ' ~ s) }}", "{{ messages[1].content|trim|safe }}", "{{ '<' ~ messages[1].content }}", "{{ 1, 2 }}{{ (1,) }}{{ () }}",
]
