"""The scratch package that contains all mutants, and the runs of its tests."""
import glob, os, re, resource, shutil, signal, subprocess, threading, time
from points import spelled

PARTS = ["Sources/Base", "Sources/Telephony", "Sources/PhoneCore", "Sources/EventLog", "Tests/PhoneJudges",
         "Tests/PhoneCoreTests", "Tests/StateAtlas", "Tests/StateAtlasTests", "Tests/EventLogTests", "docs"]
FLAGS = ["ExistentialAny", "MemberImportVisibility"]
MEMORY = 3 << 30
PACKAGE = """// swift-tools-version: 6.2
import PackageDescription
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .strictMemorySafety(), .unsafeFlags(["-num-threads", "2"]),
    .enableExperimentalFeature("Lifetimes"), %s
]
let unoptimised = [SwiftSetting.unsafeFlags(["-Onone", "-gnone"].flatMap { ["-Xfrontend", $0] })]
let package = Package(name: "mutants", targets: [
    .target(name: "CMutant"),
    .target(name: "Base", swiftSettings: strict),
    .target(name: "Telephony", swiftSettings: strict),
    .target(name: "PhoneCore", dependencies: ["Base", "Telephony", "CMutant"], swiftSettings: strict),
    .target(name: "PhoneJudges", dependencies: ["PhoneCore", "Base"], path: "Tests/PhoneJudges", swiftSettings: strict),
    .testTarget(name: "PhoneCoreTests", dependencies: ["PhoneCore", "PhoneJudges", "Base"],
                swiftSettings: strict + unoptimised),
    .target(name: "StateAtlas", dependencies: ["PhoneCore", "Base"], path: "Tests/StateAtlas", swiftSettings: strict),
    .testTarget(name: "StateAtlasTests", dependencies: ["StateAtlas", "PhoneCore", "Base"],
                swiftSettings: strict + unoptimised),
    .target(name: "EventLog", dependencies: ["PhoneCore", "Base"], swiftSettings: strict),
    .testTarget(name: "EventLogTests", dependencies: ["EventLog", "PhoneCore", "Base"], exclude: ["Fixtures"],
                swiftSettings: strict + unoptimised),
])
""" % ", ".join(f'.enableUpcomingFeature("{flag}")' for flag in FLAGS)
SWITCH_HEADER = """extern int mutant_active, mutant_reached;
/// Whether this mutant is the one that is switched on; remembers that somebody asked.
static inline _Bool mutant_is(int number) { return mutant_active == number && (mutant_reached = 1); }
"""
SWITCH = """#include "CMutant.h"
#include <stdlib.h>
#include <unistd.h>
int mutant_active, mutant_reached;
static void tell(void) { if (mutant_reached && write(2, "mutant-was-reached\\n", 19)) {} }
__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("OFFHOOK_MUTANT");
    mutant_active = number ? atoi(number) : 0;
    atexit(tell);
}
"""
HELPERS = """import Base
import CMutant

public func mutantRuns(_ n: Int32) -> Bool { !mutant_is(n) }
public func mutateFlag(_ n: Int32, _ flag: Bool) -> Bool { mutant_is(n) != flag }
public func mutateNumber<T: FixedWidthInteger>(_ n: Int32, _ number: T) -> T { mutant_is(n) ? number &+ 1 : number }
public func mutateCondition(_ n: Int32, _ condition: Bool) -> Bool {
    mutant_is(n) || (condition && !mutant_is(n + 1))
}
public func mutateDuration(_ n: Int32, _ time: Duration) -> Duration {
    mutant_is(n) ? time + .milliseconds(1) : mutant_is(n + 1) ? time / 2 : time
}
"""
COMPARE = "public func {op}<T: {kind}>(a: T, b: T) -> Bool {{ mutant_is({n}) ? a {new} b : a {old} b }}\n"
LOGIC = """public func {op}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{
    mutant_is({n}) ? try a {new} b() : try a {old} b()
}}
"""
SUM = """public func {op}<T: AdditiveArithmetic>(a: T, b: T) -> T {{ mutant_is({n}) ? a {new} b : a {old} b }}
public func {op}(a: Instant, b: Duration) -> Instant {{ mutant_is({n}) ? a {new} b : a {old} b }}
"""
DIFFERENCE = "public func {op}(a: Instant, b: Instant) -> Duration {{ mutant_is({n}) ? b - a : a - b }}\n"
FALLBACK = """public func {op}<T>(a: T?, b: @autoclosure () throws -> T) rethrows -> T {{
    mutant_is({n}) ? try b() : try a ?? b()
}}
public func {op}<T>(a: T?, b: @autoclosure () throws -> T?) rethrows -> T? {{
    mutant_is({n}) ? try b() : try a ?? b()
}}
"""
NEGATION = "prefix operator {op}\npublic prefix func {op}(a: Bool) -> Bool {{ mutant_is({n}) == a }}\n"
TEMPLATES = {
    "comparison": ("ComparisonPrecedence", COMPARE), "equality": ("ComparisonPrecedence", COMPARE),
    "logic": (None, LOGIC), "arithmetic": ("AdditionPrecedence", SUM),
    "fallback": ("NilCoalescingPrecedence", FALLBACK), "negation": (None, NEGATION),
}


def helper(point):
    """The operator that replaces this point."""
    precedence, template = TEMPLATES[point.kind]
    number, old = point.mutants[0].number, point.instead
    precedence = precedence or ("LogicalConjunctionPrecedence" if old == "&&" else "LogicalDisjunctionPrecedence")
    kind = "Equatable" if point.kind == "equality" else "Comparable"
    operator = spelled(old, number)
    if old == "-":
        template += DIFFERENCE
    head = "" if point.kind == "negation" else f"infix operator {operator} : {precedence}\n"
    return head + template.format(op=operator, n=number, old=old, new=point.shown[0], kind=kind)


class Failed(Exception):
    """The scratch package does not work, so the run says nothing about the tests."""


def end_tree(process):
    """Ends a process started here, and its descendants: `swift build` gives each compiler its own group."""
    if process.poll() is not None:
        return  # Its number may belong to another process by now.
    children = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                number, _, rest = file.read().partition(" (")
        except OSError:
            continue  # It has just ended.
        children.setdefault(int(rest.rpartition(") ")[2].split()[1]), []).append(int(number))
    tree = [process.pid]
    for parent in tree:
        tree += children.get(parent, [])
    for member in tree:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Scratch:
    def __init__(self, folder):
        self.folder, self.running, self.lock, self.stopping = folder, set(), threading.Lock(), False
        # The documents too: tests check what they claim about dial plans and states.
        for part in PARTS:
            shutil.copytree(part, f"{folder}/{part}")
        self.write("Package.swift", PACKAGE)
        self.write("Sources/CMutant/include/CMutant.h", SWITCH_HEADER)
        self.write("Sources/CMutant/CMutant.c", SWITCH)

    def write(self, path, text):
        path = f"{self.folder}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def start(self, words, number=0, limited=False):
        """A process in its own session: this script passes keyboard interrupts on."""
        environment = {**os.environ, "OFFHOOK_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}
        limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))) if limited else None
        with self.lock:
            if self.stopping:
                raise Failed("stopped")
            process = subprocess.Popen(
                words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True, preexec_fn=limit)
            self.running.add(process)
        return process

    def finish(self, process):
        end_tree(process)
        process.stdout.close()
        process.wait()
        with self.lock:
            self.running.discard(process)

    def close(self):
        with self.lock:
            self.stopping = True
            left = list(self.running)
        for process in left:
            end_tree(process)

    def run(self, words):
        process = self.start(words)
        try:
            output = process.stdout.read()
            return process.wait(), output
        finally:
            self.finish(process)

    def put(self, files):
        """Writes the sources with the remaining points."""
        used = [point for file in files for point in file.points if point.instead is not None]
        self.write("Sources/PhoneCore/Mutants.swift", HELPERS + "".join(map(helper, used)))
        for file in files:
            self.write(file.name, file.rewritten(file.points))

    def settle(self, files):
        """Lets the compiler judge: removes points that it rejects, until it accepts the rest. Returns the removed points."""
        modules = self.folder + "/modules"
        os.makedirs(modules)
        flags = ["-swift-version", "6", "-parse-as-library", "-package-name", "mutants", "-I", modules,
                 "-no-color-diagnostics", "-diagnostic-style", "llvm", "-wmo", "-I", "Sources/CMutant/include"]
        flags += [word for flag in FLAGS for word in ("-enable-upcoming-feature", flag)]
        flags += ["-enable-experimental-feature", "Lifetimes"]
        self.write("Sources/CMutant/include/module.modulemap", 'module CMutant { header "CMutant.h" export * }\n')
        for module in ("Base", "Telephony"):
            code, output = self.run(["swiftc", "-emit-module", "-module-name", module, "-o",
                                     f"{modules}/{module}.swiftmodule", *flags, *self.sources(module)])
            if code:
                raise Failed(f"{module} does not compile:\n{output}")
        refused, by_name = [], {file.name: file for file in files}
        while True:
            self.put(files)
            code, output = self.run(["swiftc", "-emit-sil", "-module-name", "PhoneCore", "-o", "/dev/null", *flags,
                                     *self.sources("PhoneCore")])
            if code == 0:
                return refused
            errors = set(re.findall(r"^(?:.*/)?(Sources/PhoneCore/[^:\n]+):(\d+):\d+: error:", output, re.M))
            places = [(by_name[name], int(line)) for name, line in errors if name in by_name]
            # An error elsewhere may only follow from these. If it is the only error, the points around it caused it.
            taken = self.suspects([point for place in places for point in self.on_line(*place)]
                                  or [point for place in places for point in self.around(*place)])
            for file in files:
                file.points = [point for point in file.points if point not in taken]
            if not taken:
                raise Failed("PhoneCore does not compile:\n" + output)
            refused += taken

    def sources(self, target):
        paths = glob.glob(f"{self.folder}/Sources/{target}/**/*.swift", recursive=True)
        return sorted(os.path.relpath(path, self.folder) for path in paths)

    @staticmethod
    def on_line(file, line):
        """The points on this line."""
        return [point for point in file.points if point.first_line <= line <= point.last_line]

    @staticmethod
    def around(file, line):
        """The points in the smallest braces around this line that contain any."""
        spans = []
        for index, token in enumerate(file.tokens):
            if token.text == "{" and token.kind == "mark":
                last = file.tokens[file.partner[index]].line
                if token.line <= line <= last:
                    spans.append((token.line, last))
        for first, last in sorted(spans, key=lambda span: span[1] - span[0]):
            inside = [point for point in file.points if first <= point.first_line <= last]
            if inside:
                return inside
        return []

    @staticmethod
    def suspects(points):
        """The points that the compiler's error means. A supposed call may be a value; a supposed sum may add texts; a
        fallback may leave open whether it is optional."""
        for kinds in (("call",), ("arithmetic", "fallback")):
            found = [point for point in points if point.kind in kinds]
            if found:
                points = found
                break
        return list({id(point): point for point in points}.values())

    def build(self):
        words = ["swift", "build", "-c", "release", "--build-tests", "--disable-automatic-resolution"]
        code, output = self.run(words)
        if code:
            raise Failed("the mutants do not build:\n" + output[-4000:])
        found = glob.glob(f"{self.folder}/.build/release/*.xctest")
        if len(found) != 1:
            raise Failed(f"one test program was expected, not {found}")
        self.program = found[0]

    def test(self, number, selection, limit):
        """Runs tests with one mutant on: ("passed" | "failed" | "timed out", seconds, whether it was reached, output).

        The run ends at the first failure."""
        began, late, failed, output = time.monotonic(), [], False, []
        process = self.start([self.program, "--testing-library", "swift-testing", *selection], number, limited=True)

        def end():
            late.append(True)
            end_tree(process)

        timer = threading.Timer(limit, end)
        timer.start()
        try:
            for line in process.stdout:
                output.append(line)
                if "recorded an issue" in line:
                    failed = True
                    break
            code = None if failed else process.wait()
        finally:
            timer.cancel()
            self.finish(process)
        took, text = time.monotonic() - began, "".join(output)
        passed = code == 0 and re.search(r"Test run with [1-9]\d* tests? .*passed", text)
        outcome = "timed out" if late else "passed" if passed else "failed"
        return outcome, took, "mutant-was-reached" in text, text
