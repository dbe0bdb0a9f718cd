/// Outcomes as a table of effects and lists of stimuli without effect. Equal rows are one.
struct Listing {
    /// The largest number of stimuli that share a row: more are hard to read.
    static let rowLimit = 10

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
            let same = rows.firstIndex {
                $0.becomes == becomes && $0.deeds == deeds && $0.stimuli.count < Self.rowLimit
            }
            if let same {
                rows[same].stimuli.append(outcome.stimulus)
            } else {
                rows.append(([outcome.stimulus], becomes, deeds))
            }
        }
    }

    var text: String { ([table] + sentences).joined(separator: "\n\n") }

    private var table: String {
        let lines = rows.map { "| \($0.stimuli.list) | \($0.becomes) | \($0.deeds) |" }
        return (["| event | next phase | effects |", "|---|---|---|"] + lines).joined(separator: "\n")
    }

    private var sentences: [String] {
        refused.flatMap { ["Rejected as `\($0.failure)`:", Self.block($0.stimuli.list)] }
            + (granted.isEmpty ? [] : ["Fulfilled without an effect:", Self.block(granted.list)])
            + (ignored.isEmpty ? [] : ["Nothing happens on:", Self.block(ignored.list)])
    }

    /// Names in a block of lines of at most 100 characters.
    static func block(_ names: String) -> String {
        var lines: [String] = []
        for word in names.split(separator: " ") {
            if let line = lines.last, line.count + 1 + word.count <= 100 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return "```text\n\(lines.joined(separator: "\n"))\n```"
    }
}

extension [Stimulus] {
    /// Their names, with a common prefix before a colon written once.
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
