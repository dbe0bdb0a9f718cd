"""Chooses mutants, runs the tests against each, and reports those that no test noticed."""
import argparse, glob, random, signal, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from points import File
from report import explanations, markdown, survivor_line
from scratch import Failed, Scratch

ENOUGH = 90  # per cent
# The table of states and the recorded stories: some seconds, only for a mutant that the quick tests miss.
TABLES = "^(StateAtlasTests|EventLogTests)\\."
# Suites that take minutes: only for a mutant that those miss too.
LONG = "Exhaustive|RandomWalk|LongRun"


def arguments():
    parser = argparse.ArgumentParser(prog="mutate", description="Counts how many mutants of PhoneCore its tests kill.")
    parser.add_argument("--sample", type=int, default=120, metavar="N", help="how many mutants to try (120)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the choice (1)")
    parser.add_argument("--only", type=int, action="append", metavar="NUMBER", help="this mutant; may be repeated")
    parser.add_argument("--list", action="store_true", help="print every mutant and stop, including those that the compiler may reject")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="test runs at a time (2)")
    parser.add_argument("--long", default=LONG, metavar="REGEX", help=f"names of the long suites ({LONG})")
    parser.add_argument("--quick", action="store_true", help="leave the long suites out: the score is a lower bound")
    parser.add_argument("--report", metavar="FILE", help="write a Markdown report there")
    parser.add_argument("--why", default="docs/dev/mutation-survivors.md", metavar="FILE",
                        help="Markdown rows | file | original | mutated | why | for the report (%(default)s)")
    options = parser.parse_args()
    if options.sample < 1 or options.jobs < 1:
        parser.error("--sample and --jobs are at least 1")
    return options


def read_files():
    files, number = [], 1
    for path in sorted(glob.glob("Sources/PhoneCore/**/*.swift", recursive=True)):
        with open(path) as source:
            file = File(path, source.read())
        number = file.number(number)
        files.append(file)
    return files


def mutants_of(files):
    return [mutant for file in files for point in file.points for mutant in point.mutants]


def chosen(mutants, options):
    if options.only:
        found = [mutant for mutant in mutants if mutant.number in options.only]
        if len(found) < len(set(options.only)):
            raise Failed("there is no such mutant, or the compiler rejects it")
        return found
    dice = random.Random(options.seed)
    pile = dice.sample(mutants, len(mutants))
    first = {}
    for mutant in pile:
        first.setdefault(mutant.kind, mutant)
    # First one of every kind, then any.
    picked = list(first.values()) + [mutant for mutant in pile if first[mutant.kind] is not mutant]
    return sorted(picked[:options.sample], key=lambda mutant: mutant.number)


def say(text):
    print(f"mutate: {text}", file=sys.stderr, flush=True)


class Trial:
    """The stages of testing: quick tests for every mutant, long ones for survivors."""

    def __init__(self, scratch, options):
        self.scratch, self.options = scratch, options
        self.stages = {"quick": ["--skip", f"{options.long}|{TABLES}"], "tables": ["--filter", TABLES]}
        if not options.quick:
            self.stages["long"] = ["--filter", options.long]
        self.limits = {}

    def rehearse(self):
        """Without a mutant every test must pass. The time for that sets the time limits."""
        for stage, selection in self.stages.items():
            outcome, took, _, output = self.scratch.test(0, selection, limit=600)
            if outcome != "passed":
                issues = [line[:400] for line in output.splitlines() if "recorded an issue" in line]
                raise Failed("\n".join([f"without a mutant the {stage} tests {outcome}", *issues]))
            self.limits[stage] = 5 + 3 * took * self.options.jobs
            say(f"no mutant, {stage} tests: passed in {took:.1f} s")
            if stage == "quick" and took > 3:
                say("the quick tests are not quick: name more suites with --long")

    def judge(self, stage, mutants):
        """(mutant, outcome, reached) for each, in order."""
        def one(mutant):
            outcome, _, reached, _ = self.scratch.test(mutant.number, self.stages[stage], self.limits[stage])
            return mutant, outcome, reached

        pool = ThreadPoolExecutor(self.options.jobs)
        try:
            return list(pool.map(one, mutants))
        except BaseException:
            self.scratch.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def run(self, mutants):
        results = {mutant.number: (mutant, "passed", False) for mutant in mutants}
        for stage in self.stages:
            left = [mutant for mutant, outcome, _ in results.values() if outcome == "passed"]
            began = time.monotonic()
            for mutant, outcome, reached in self.judge(stage, left):
                results[mutant.number] = (mutant, outcome, reached or results[mutant.number][2])
            say(f"{len(left)} mutants took the {stage} tests in {time.monotonic() - began:.1f} s")
        return list(results.values())


def check(scratch, files, options):
    began = time.monotonic()
    refused = scratch.settle(files)
    mutants = mutants_of(files)
    say(f"{len(mutants)} mutants; the compiler rejects {sum(len(point.mutants) for point in refused)} more "
        f"({time.monotonic() - began:.0f} s)")
    picked = chosen(mutants, options)
    scratch.build()
    say(f"built after {time.monotonic() - began:.0f} s")
    trial = Trial(scratch, options)
    trial.rehearse()
    results = trial.run(picked)
    return results, len(mutants), time.monotonic() - began


def tell(results, of, took, options):
    why = explanations(options.why)
    count = {outcome: sum(result[1] == outcome for result in results) for outcome in ("failed", "timed out", "passed")}
    score = 100 * (1 - count["passed"] / len(results))
    for mutant, outcome, reached in results:
        if outcome == "passed":
            print(survivor_line(mutant, reached) + (f"  why: {why[mutant.key]}" if why.get(mutant.key) else ""))
        elif options.only:
            print(f"{outcome}: {survivor_line(mutant, True)}")
    print(f"{len(results)} of {of} mutants in {took:.0f} s: {count['failed'] + count['timed out']} killed "
          f"({count['timed out']} by the time limit), {count['passed']} survived: {score:.1f} %")
    if options.report:
        with open(options.report, "w") as file:
            file.write(markdown(results, score, options.seed, of, why))
    return 0 if score >= ENOUGH else 1


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    files = read_files()
    if options.list:
        for mutant in mutants_of(files):
            print(f"{mutant.number:5} {mutant.kind:11} {mutant.file}:{mutant.line}: "
                  f"{mutant.original}  =>  {mutant.mutated}")
        return 0
    with tempfile.TemporaryDirectory(prefix="offhook-mutate-") as folder:
        scratch = Scratch(folder)
        try:
            return tell(*check(scratch, files, options), options)
        except Failed as failure:
            say(str(failure))
            return 2
        finally:
            scratch.close()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
