"""How the tests read a page."""

from collections import Counter
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta"}
# The end of these may be left out; the site's own pages do.
UNENDED = {"dd", "dt", "li", "option", "tbody", "td", "th", "thead", "tr"}


class Read(HTMLParser):
    """Collects what the tests ask about; complains of tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.source = text
        self.open = []
        self.ids = []
        self.links = []
        self.loaded = []
        self.tags = Counter()
        self.words = []
        self.scripts = []
        self.data = []  # scripts that nothing runs
        self.kind = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID | UNENDED:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags[tag] += 1
        self.kind = dict(attrs).get("type") if tag == "script" else self.kind
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href"):
                (self.links if tag == "a" else self.loaded).append(value)
            elif name in ("src", "srcset", "data", "action", "poster"):
                self.loaded.append(value)

    def handle_endtag(self, tag):
        if tag not in UNENDED:
            assert self.open.pop() == tag

    def handle_data(self, data):
        texts = self.data if self.kind else self.scripts
        (texts if self.open[-1:] == ["script"] else self.words).append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())
