/// Outcomes as a table of effects and sentences for refusals. Equal rows are merged.
struct Listing {
    private var rows: [(stimuli: [Stimulus], becomes: String, deeds: String)] = []
    private var refused: [(failure: String, stimuli: [Stimulus])] = []
    private var granted: [Stimulus] = []
    private var ignored: [Stimulus] = []

    init(_ outcomes: [Outcome]) {
        for outcome in outcomes { add(outcome) }
    }

    private mutating func add(_ outcome: Outcome) {
        if let failure = outcome.refusal?.words {
            if let same = refused.firstIndex(where: { $0.failure == failure }) {
                refused[same].stimuli.append(outcome.stimulus)
            } else {
                refused.append((failure, [outcome.stimulus]))
            }
        } else if outcome.changesNothing {
            if outcome.answers.isEmpty { ignored.append(outcome.stimulus) } else { granted.append(outcome.stimulus) }
        } else {
            let becomes = outcome.after == outcome.before ? "" : "**\(outcome.after)**"
            let deeds = (outcome.deeds + outcome.answers.map(\.words)).joined(separator: ", ")
            if let same = rows.firstIndex(where: { $0.becomes == becomes && $0.deeds == deeds }) {
                rows[same].stimuli.append(outcome.stimulus)
            } else {
                rows.append(([outcome.stimulus], becomes, deeds))
            }
        }
    }

    var text: String { ([table] + sentences).joined(separator: "\n\n") }

    private var table: String {
        let lines = rows.map { "| \($0.stimuli.list) | \($0.becomes) | \($0.deeds) |" }
        return (["| event | becomes | what is done |", "|---|---|---|"] + lines).joined(separator: "\n")
    }

    private var sentences: [String] {
        refused.map { "Refused as `\($0.failure)`: \($0.stimuli.list)." }
            + (granted.isEmpty ? [] : ["Fulfilled, with nothing to do: \(granted.list)."])
            + (ignored.isEmpty ? [] : ["Nothing happens on: \(ignored.list)."])
    }
}

extension [Stimulus] {
    /// Their names; a common part before a colon is written once.
    var list: String {
        var groups: [(prefix: String, names: [String])] = []
        for name in map(\.rawValue) {
            let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
            let prefix = parts.count == 2 ? parts[0] + ":" : ""
            let rest = parts.count == 2 ? parts[1] : " " + name
            if let same = groups.firstIndex(where: { $0.prefix == prefix }) {
                groups[same].names.append(rest)
            } else {
                groups.append((prefix, [rest]))
            }
        }
        let lists = groups.map { ($0.prefix + $0.names.joined(separator: ",")).drop { $0 == " " } }
        return lists.joined(separator: "; ")
    }
}
