"""Reports a run: lines for the terminal, Markdown for the record."""
import os


def cells(line):
    """The cells of a table row, with their text unquoted."""
    row = [cell.replace("\0", "|").strip() for cell in line.strip().replace("\\|", "\0")[1:-1].split("|")]
    return [cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == "`" else cell for cell in row]


def explanations(path):
    """Why survivors survive: rows `| file | original | mutated | why |` from any table of a Markdown file."""
    known = {}
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                row = cells(line)
                if line.startswith("|") and len(row) == 4:
                    known[tuple(row[:3])] = row[3]
    return known


def totals(results):
    """For each kind: how many were tried, killed by a failure, ended by the time limit, and survived."""
    kinds = {}
    for mutant, outcome, _ in results:
        row = kinds.setdefault(mutant.kind, {"failed": 0, "timed out": 0, "passed": 0})
        row[outcome] += 1
    return dict(sorted(kinds.items()))


def survivor_line(mutant, reached):
    note = "" if reached else "  (never reached by a test)"
    place, name = f"{mutant.file}:{mutant.line}", f"{mutant.number} {mutant.kind}"
    return f"{place}: {mutant.original}  =>  {mutant.mutated}  [{name}]{note}"


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def markdown(results, score, seed, of, why):
    lines = [
        f"{len(results)} of {of} mutants of PhoneCore, seed {seed}: {score:.1f} % killed.", "",
        "| kind | tried | killed | of these by the time limit | survived |", "|---|---:|---:|---:|---:|",
    ]
    for kind, row in totals(results).items():
        killed = row["failed"] + row["timed out"]
        lines.append(f"| {kind} | {killed + row['passed']} | {killed} | {row['timed out']} | {row['passed']} |")
    survivors = [mutant for mutant, outcome, _ in results if outcome == "passed"]
    if survivors:
        lines += ["", "| file | original | mutated | why |", "|---|---|---|---|"]
    for mutant in survivors:
        lines.append(f"| {mutant.file} | {code(mutant.original)} | {code(mutant.mutated)} "
                     f"| {why.get(mutant.key, '').replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"
