"""Swift as tokens: only as much of the language as the search for mutations needs."""
import re
from dataclasses import dataclass

OPENERS, CLOSERS = "([{", ")]}"
KEYWORDS = frozenset("""
    actor as associatedtype await break case catch class continue default defer deinit do else enum extension
    fallthrough fileprivate final for func guard if import in indirect init inout internal is lazy let mutating
    nonisolated open operator override package precedencegroup private protocol public repeat rethrows return static
    struct subscript super switch throw throws try typealias unsafe var where while
""".split())
PATTERN = re.compile(r"""
      (?P<space>\s+)
    | (?P<comment>//[^\n]*)
    | (?P<number>0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?)
    | (?P<word>[#@$]?[A-Za-z_][A-Za-z0-9_]*|`[A-Za-z_]+`|\$[0-9]+|\\(?=\.))
    | (?P<operator>\.\.[.<]|[-=+*%<>&|^~?!/]+)
    | (?P<mark>[()\[\]{},:;.])
""", re.X)


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    line: int
    first: bool  # the first of its line
    spaced: bool  # blank space before it

    def is_keyword(self, *words):
        return self.kind == "word" and (self.text in words if words else self.text in KEYWORDS)

    def is_infix(self, source):
        return self.kind == "operator" and self.spaced and source[self.end:self.end + 1].isspace()


def end_of_comment(source, start):
    depth, at = 1, start + 2
    while depth:
        match = re.compile(r"/\*|\*/").search(source, at)
        depth += 1 if match.group() == "/*" else -1
        at = match.end()
    return at


def end_of_string(source, start):
    """The index after the closing quote. Interpolations belong to the string: printed text is not mutated."""
    hashes = re.compile("#*").match(source, start).group()
    at = start + len(hashes)
    quote = '"""' if source.startswith('"""', at) else '"'
    at += len(quote)
    while not source.startswith(quote + hashes, at):
        if not source.startswith("\\" + hashes, at):
            at += 1
        elif source[at + 1 + len(hashes)] != "(":
            at += 2 + len(hashes)
        else:
            at, depth = at + 2 + len(hashes), 1
            while depth:
                if source[at] == '"':
                    at = end_of_string(source, at)
                    continue
                depth += {"(": 1, ")": -1}.get(source[at], 0)
                at += 1
    return at + len(quote) + len(hashes)


def tokenize(source):
    tokens, at, line, first, spaced = [], 0, 1, True, True
    while at < len(source):
        if source.startswith("/*", at):
            kind, end = "comment", end_of_comment(source, at)
        elif re.compile('#*"').match(source, at):
            kind, end = "string", end_of_string(source, at)
        else:
            match = PATTERN.match(source, at)
            if match is None:
                raise ValueError(f"line {line}: {source[at:at + 20]!r} is no Swift that mutate knows")
            kind, end = match.lastgroup, match.end()
        text = source[at:end]
        if kind not in ("space", "comment"):
            tokens.append(Token(kind, text, at, end, line, first, spaced))
            first, spaced = False, False
        else:
            first, spaced = first or "\n" in text, True
        line, at = line + text.count("\n"), end
    return tokens


def brackets(tokens):
    """The partner of each bracket; and the bracket around each token, or None."""
    partner, inside, open_ones = {}, [], []
    for index, token in enumerate(tokens):
        if token.kind == "mark" and token.text in CLOSERS:
            opener = open_ones.pop()
            partner[opener], partner[index] = index, opener
        inside.append(open_ones[-1] if open_ones else None)
        if token.kind == "mark" and token.text in OPENERS:
            open_ones.append(index)
    return partner, inside
