"""What transformers answers for a chat template: the text, or that it refuses."""
import copy
import datetime

import jinja2
from transformers.utils import chat_template_utils as utils

NOW = datetime.datetime(2024, 7, 26, 9, 5, 7)


class FixedClock(datetime.datetime):
    """strftime_now answers with the same moment always."""

    @classmethod
    def now(cls, tz=None):
        return NOW


utils.datetime = FixedClock


def outcome(run):
    try:
        return {"text": run()}
    except Exception as error:  # noqa: BLE001, a template may raise whatever Python has
        says = {"says": str(error)} if type(error) is jinja2.exceptions.TemplateError else {}  # by raise_exception
        return {"refused": type(error).__name__, **says}


ENVIRONMENT = utils._compile_jinja_template("").environment  # one for all: making it takes longer than a template


def render(template, context):
    """One template with variables as they are."""
    # `indent` of a list adds to it in place, before it fails.
    return outcome(lambda: ENVIRONMENT.from_string(template).render(**copy.deepcopy(context)))


def render_chat(template, chat):
    """The same path as apply_chat_template: messages without null keys, special tokens and more variables."""
    def run():
        conversations = [utils._normalize_chat_messages(chat["messages"])]
        texts, _ = utils.render_jinja_template(
            conversations=conversations, tools=chat.get("tools"), documents=chat.get("documents"), chat_template=template,
            add_generation_prompt=chat.get("add_generation_prompt", False),
            **{**chat.get("special_tokens", {}), **chat.get("variables", {})})
        return texts[0]
    return outcome(run)
