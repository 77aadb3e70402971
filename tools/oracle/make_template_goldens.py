#!/usr/bin/env python3
"""Writes goldens/templates/NAME.json: what transformers renders for every template of tools/oracle/chat_templates, and
chats.json, what with; quirks.json, small templates that mislead.

    VENV/bin/python tools/oracle/make_template_goldens.py [NAME...]

Templates and conversations were written for this, in the shapes of published ones. Deterministic.
"""
import json
import pathlib
import sys

import jinja2
import transformers

from template_cases import ALL_SETTINGS, CHATS, ONLY, QUIRKS, SETTINGS, TOKENS
from template_random import CONTEXT
from template_reference import NOW, render, render_chat

ROOT = pathlib.Path(__file__).resolve().parents[2] / "goldens" / "templates"
TEMPLATES = pathlib.Path(__file__).resolve().parent / "chat_templates"


def cases_of(name):
    for about in ONLY.get(name, CHATS):
        for i, setting in enumerate(SETTINGS):
            if i > 1 and about not in ALL_SETTINGS or i == 0 and about in ("tools",):
                continue
            yield about, i, {"messages": CHATS[about], "special_tokens": TOKENS, **setting}


def write(name, content):
    (ROOT / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


def main():
    ROOT.mkdir(exist_ok=True)
    made_by = f"make_template_goldens.py, transformers {transformers.__version__}, jinja2 {jinja2.__version__}"
    write("chats", {"format": 1, "now": [NOW.year, NOW.month, NOW.day, NOW.hour, NOW.minute, NOW.second],
                    "special_tokens": TOKENS, "settings": SETTINGS, "chats": CHATS})
    write("quirks", {"format": 1, "made_by": made_by, "context": CONTEXT,
                     "cases": [{"template": quirk, **render(quirk, CONTEXT)} for quirk in QUIRKS]})
    for path in sorted(TEMPLATES.glob("*.jinja")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        # A template from a file keeps its last line end, which jinja2 takes off.
        template = path.read_text(encoding="utf-8")
        cases = [{"chat": chat, "setting": i, **render_chat(template, content)} for chat, i, content in cases_of(path.stem)]
        write(path.stem, {"format": 1, "made_by": made_by, "template": template, "cases": cases})
        print(f"{path.stem}: {len(cases)} cases, {sum('refused' in case for case in cases)} refused")


if __name__ == "__main__":
    main()
