"""Finds where and how Swift code can be broken so that it still compiles."""
import re
from dataclasses import dataclass, field
from tokens import CLOSERS, brackets, tokenize

# A numbered operator becomes one of ours: same precedence, with the number spelled in bits after it.
SWAPS = {
    "<": ("comparison", "<="), "<=": ("comparison", "<"), ">": ("comparison", ">="), ">=": ("comparison", ">"),
    "==": ("equality", "!="), "!=": ("equality", "=="), "&&": ("logic", "||"), "||": ("logic", "&&"),
    "+": ("arithmetic", "-"), "-": ("arithmetic", "+"), "??": ("fallback", "always ??"),
}
UNITS = ("seconds", "milliseconds", "microseconds", "nanoseconds")
NEVER_BROKEN = ("precondition", "preconditionFailure", "assert", "fatalError")
NOTHING = "/* nothing */"


@dataclass
class Mutant:
    number: int
    file: str
    line: int
    kind: str
    original: str
    mutated: str

    @property
    def key(self):
        """The parts that stay the same when lines move."""
        return self.file, self.original, self.mutated


@dataclass
class Point:
    """A place in a file and its replacement: text `before` and `after` it, or `instead` of it."""
    kind: str
    start: int
    end: int
    shown: list  # what each of its mutants looks like
    before: str = ""
    after: str = ""
    instead: str = None
    first_line: int = 0
    last_line: int = 0
    mutants: list = field(default_factory=list)


def spelled(operator, number):
    return operator + "".join("^|"[int(bit)] for bit in f"{number:b}")


class File:
    def __init__(self, name, source):
        self.name, self.source, self.points = name, source, []
        self.tokens = tokenize(source)
        self.partner, self.inside = brackets(self.tokens)
        self.later = set(re.findall(r"^\s*let (\w+): [^={]+$", source, re.M))  # given a value in another place
        self.silent, self.in_init = self.regions()
        for index in range(len(self.tokens)):
            if index not in self.silent:
                self.look(index)

    def token(self, index):
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def text(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def regions(self):
        """Tokens to leave alone, and tokens within initialisers, where every statement must stay."""
        silent, in_init = set(), set()
        for index, token in enumerate(self.tokens):
            head = index
            if token.text in NEVER_BROKEN and self.text(index + 1) == "(":
                silent.update(range(index, self.partner[index + 1]))
            elif token.text == "init" and self.text(index - 1) != ".":
                while head < len(self.tokens) and self.text(head) != "{":
                    head += 1
                if head in self.partner:
                    in_init.update(range(head, self.partner[head]))
            elif token.text == "description" and self.text(index - 1) == "var":
                while self.text(head) != "{":
                    head += 1
                silent.update(range(head, self.partner[head]))
            elif token.text == "func" and self.token(index + 1).kind == "operator":
                silent.add(index + 1)
        return silent, in_init

    def add(self, kind, first, last, shown, **change):
        start, end = self.tokens[first].start, self.tokens[last].end
        lines = self.tokens[first].line, self.tokens[last].line
        self.points.append(Point(kind, start, end, shown, first_line=lines[0], last_line=lines[1], **change))

    def look(self, index):
        token = self.tokens[index]
        if token.is_infix(self.source):
            if token.text in SWAPS:
                kind, other = SWAPS[token.text]
                self.add(kind, index, index, [other], instead=token.text)
            elif token.text == "?":
                self.look_at_choice(index)
        elif token.text == "!" and token.kind == "operator" and self.text(index - 1) not in (")", "]"):
            if token.spaced or self.text(index - 1) in ("(", "[", "{"):
                self.add("negation", index, index, [""], instead="!")
        elif token.kind == "number" and re.fullmatch(r"0x\w+|[0-9_]+", token.text) and self.text(index - 1) != ".":
            if not (self.text(index - 1) == "(" and self.text(index - 2) in UNITS):
                self.add("number", index, index, [str(int(token.text, 0) + 1)],
                         before="mutateNumber({}, ", after=")")
        elif token.text in ("true", "false") and self.text(index - 1) != "." and not self.is_in_pattern(index):
            other = "false" if token.text == "true" else "true"
            self.add("flag", index, index, [other], before="mutateFlag({}, ", after=")")
        elif token.text in UNITS and self.text(index - 1) == "." and self.text(index + 1) == "(":
            self.look_at_duration(index)
        elif token.is_keyword("guard", "if", "while", "where") and self.text(index - 1) != ".":
            is_label, ends_repeat = self.text(index + 1) == ":", token.text == "while" and self.text(index - 1) == "}"
            if not is_label and not ends_repeat:
                self.look_at_clauses(index)
        if token.kind == "word" and self.begins_statement(index):
            self.look_at_statement(index)

    def is_in_pattern(self, index):
        """Whether it is within `case (true, _):`, where the compiler checks coverage."""
        opener = self.inside[index]
        return opener is not None and self.text(opener) == "(" and self.text(opener - 1) == "case"

    def look_at_duration(self, index):
        first, last = index - 1, self.partner[index + 1]
        if last != index + 3 or self.tokens[index + 2].kind != "number":
            return
        if self.text(first - 1) == "Duration":
            first -= 1
        value = self.source[self.tokens[first].start:self.tokens[last].end]
        self.add("duration", first, last, [f"{value} + .milliseconds(1)", f"{value} / 2"],
                 before="mutateDuration({}, ", after=")")

    def look_at_choice(self, index):
        """`c ? a : b`: from the question mark back to the beginning of c."""
        first = index
        while True:
            before = self.token(first - 1)
            if before is None or before.text in ("=", "+=", "-=", ",", ":", ";", "(", "[", "{", "?", "->"):
                break
            if before.is_keyword("return", "throw", "in", "try", "else", "case", "where"):
                break
            if self.tokens[first].first and not (self.tokens[first].kind == "operator" or self.text(first) == "."):
                if not before.is_infix(self.source):
                    break
            first = self.partner[first - 1] if before.text in CLOSERS else first - 1
        if first < index:
            self.add_condition(first, index - 1)

    def add_condition(self, first, last):
        if not any(token.is_keyword("try", "await") for token in self.tokens[first:last + 1]):
            self.add("condition", first, last, ["true", "false"], before="mutateCondition({}, ", after=")")

    def look_at_clauses(self, index):
        """The plain conditions of guard, if, while and where: always true, always false."""
        word = self.text(index)
        if word == "where":
            head = index
            while not self.tokens[head].is_keyword("case", "for", "catch", "extension", "func", "struct", "init"):
                head -= 1
            if not self.tokens[head].is_keyword("case", "for"):
                return
        first = at = index + 1
        while at < len(self.tokens):
            text = self.text(at)
            ends = text == "else" if word == "guard" else text == "{" or word == "where" and text == ":"
            if ends or text == ",":
                if not self.tokens[first].is_keyword("let", "var", "case") and not self.text(first).startswith("#"):
                    self.add_condition(first, at - 1)
                first = at + 1
            if ends or text in CLOSERS or word == "where" and text == ",":
                return
            at = self.partner[at] + 1 if text in ("(", "[", "{") else at + 1

    def begins_statement(self, index):
        token, before = self.tokens[index], self.token(index - 1)
        opener = self.inside[index]
        if index in self.in_init or token.is_keyword() or opener is None or self.text(opener) != "{":
            return False
        if token.text in ("get", "set", "willSet", "didSet") or token.text[0].isupper():
            return False
        if self.is_value_closure(opener):
            return False
        if before.text == "in":
            return not any(word.is_keyword("for") for word in self.tokens[opener:index])
        if before.text == "{" or before.text == ":" and self.is_label(index - 1):
            return True
        return token.first and before.text not in (",", ".", ":", "=") and not before.is_infix(self.source)

    def is_value_closure(self, brace):
        """`.map { … }`, `(where: { … })`: these braces contain a value, not a statement."""
        before = self.text(brace - 1)
        if before == ":":
            return not self.is_label(brace - 1)
        if before in ("(", ","):
            return True
        if self.text(brace - 2) != "." or before == "forEach":
            return False
        at = brace - 1  # `.x {` also ends a condition, which then begins with its keyword.
        while at >= 0 and self.inside[at] == self.inside[brace]:
            if self.tokens[at].is_keyword("if", "guard", "while", "switch", "for"):
                return False
            if self.tokens[at].first or self.text(at) in (":", "=", ";"):
                return True
            at = self.partner[at] - 1 if self.text(at) in CLOSERS else at - 1
        return True

    def is_label(self, colon):
        """Whether this colon ends `case …:` or `default:`."""
        at = colon - 1
        while at > 0 and self.inside[at] == self.inside[colon]:
            if self.text(at) in CLOSERS:
                at = self.partner[at]
            elif self.tokens[at].is_keyword("case", "default"):
                return self.text(at - 1) not in ("if", "guard", "while", "for", ",")
            elif self.tokens[at].is_keyword("var", "let") and self.tokens[at].first or self.text(at) in (":", "{", "?"):
                return False
            at -= 1
        return False

    def look_at_statement(self, index):
        """A call or an assignment that may be left out."""
        at, calls = index + 1, False
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.text == "." and self.token(at + 1) is not None:
                at += 2
            elif token.text in ("(", "[", "{") and not token.first:
                calls = calls or token.text in "({"
                at = self.partner[at] + 1
            elif token.text in ("?", "!") and not token.spaced:
                at += 1
            else:
                break
        if at >= len(self.tokens):
            return
        kind = None
        if self.text(at) in ("=", "+=", "-=") and self.tokens[at].spaced:
            if not (at == index + 1 and self.text(index) in self.later):
                kind, at = "assignment", self.end_of_expression(at + 1)
        elif calls and self.text(at - 1) in (")", "}") and (self.tokens[at].first or self.text(at) == "}"):
            if self.tokens[at].kind != "operator" and self.text(at) not in (":", "="):
                words = {token.text for token in self.tokens[index:index + 3]}
                kind = "effect" if words & {"emit", "notice"} else "call"
        if kind:
            self.add(kind, index, at - 1, [NOTHING], before="if mutantRuns({}) {{ ", after=" }}")

    def end_of_expression(self, at):
        while at < len(self.tokens):
            token, before = self.tokens[at], self.tokens[at - 1]
            goes_on = token.kind == "operator" or token.text in (".", ":") or before.is_infix(self.source)
            if token.text in CLOSERS or token.text == ";" or token.first and not goes_on:
                return at
            at = self.partner[at] + 1 if token.text in ("(", "[", "{") else at + 1
        return at

    def number(self, next_number):
        """Numbers all mutants, in the order of the text."""
        self.points.sort(key=lambda point: (point.start, -point.end))
        for point in self.points:
            start = self.source.rfind("\n", 0, point.start) + 1
            end = self.source.find("\n", point.end)
            head, tail = self.source[start:point.start], self.source[point.end:end]
            original = " ".join(self.source[start:end].split())
            for shown in point.shown:
                mutated = " ".join((head + shown + tail).split())
                point.mutants.append(Mutant(next_number, self.name, point.first_line, point.kind, original, mutated))
                next_number += 1
        return next_number

    def rewritten(self, points):
        """The text with these points in it, with the original's line numbers."""
        edits = []
        for point in points:
            number = point.mutants[0].number
            if point.instead is not None:
                edits.append((point.start, 2, 0, point.end, spelled(point.instead, number)))
            else:
                length = point.end - point.start
                edits.append((point.start, 1, -length, point.start, point.before.format(number)))
                edits.append((point.end, 0, length, point.end, point.after.format()))
        out, at = [], 0
        for start, _, _, end, text in sorted(edits):
            out += [self.source[at:start], text]
            at = end
        return "".join(out) + self.source[at:]
