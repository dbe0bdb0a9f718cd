"""Parses the same messages with the phone's parser and with libre's, in turns, and prints tables (Markdown)."""
import argparse, collections, glob, os, platform, statistics, subprocess

parser = argparse.ArgumentParser()
parser.add_argument("--ours", required=True)
parser.add_argument("--libre", required=True)
parser.add_argument("--libre-version", required=True)
parser.add_argument("--corpus", required=True)
parser.add_argument("--short", action="store_true")
options = parser.parse_args()

rounds = 3 if options.short else 7
files = sorted(glob.glob(os.path.join(options.corpus, "*.sip")))


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"bench: {command[0]}: {result.stderr.strip()}")
    return [line.split() for line in result.stdout.splitlines()]


times = collections.defaultdict(list)
allocations = {}
for _ in range(rounds):
    for file, work, nanoseconds, count in run(options.ours, "parse", *files):
        times[file, work].append(float(nanoseconds))
        allocations[file, work] = int(count)
    for file, nanoseconds, count in run(options.libre, *files):
        times[file, "libre"].append(float(nanoseconds))
        allocations[file, "libre"] = int(count)

works = ["parse", "validate", "typed", "write", "libre"]
median = {key: statistics.median(values) for key, values in times.items()}

print("| message | bytes | parse | parse, validate | … and typed headers | write | libre | libre ÷ ours, validated "
      "| libre ÷ ours, typed |")
print("|---" * 9 + "|")
for file in files:
    cells = [f"{median[file, work] / 1000:.2f} µs, {allocations[file, work]}" for work in works]
    ratios = [f"{median[file, 'libre'] / median[file, work]:.1f}" for work in ("validate", "typed")]
    name = os.path.splitext(os.path.basename(file))[0]
    print(f"| {name} | {os.path.getsize(file)} | " + " | ".join(cells + ratios) + " |")

total = {work: sum(median[file, work] for file in files) / len(files) for work in works}
rates = [f"{1e9 / total[work]:,.0f}/s" for work in works]
ratios = [f"{total['libre'] / total[work]:.1f}" for work in ("validate", "typed")]
print("| mean | | " + " | ".join(rates + ratios) + " |")

calls = run(options.ours, "calls", "500" if options.short else "5000")[0]
lines = run(options.ours, "registrations", "500" if options.short else "5000")[0]
print(f"""
| figure | reached |
|---|---|
| calls (INVITE, 180, 200, ACK, BYE, 200 over UDP sockets), both ends on one core | {1e6 / float(calls[3]):,.0f}/s |
| … by the clock | {1e6 / float(calls[5]):,.0f}/s |
| memory of an idle registration: heap, and the value itself | {int(lines[3]):,} + {int(lines[5]):,} bytes |
| … resident | {int(lines[7]):,} bytes |

Processor time a message, and allocations; medians of {rounds} runs in turns. libre {options.libre_version}; """
      f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}.")
