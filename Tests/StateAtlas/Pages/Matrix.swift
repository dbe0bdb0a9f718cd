import PhoneCore

/// Stimulus by phase: the call's phase afterwards.
struct Matrix {
    private let atlas: Atlas

    init(_ atlas: Atlas) { self.atlas = atlas }

    var text: String {
        let phases = atlas.restingPhases
        let names = phases.map { $0.rawValue }.joined(separator: " | ")
        let rule = String(repeating: "|---", count: phases.count + 1) + "|"
        return """
            ## Phase and event

            A name: the call is in that phase afterwards. `✓`: it stays, and something is done. `✗`: refused. Empty: \
            nothing at all. Several: it depends on the situation.

            | | \(names) |
            \(rule)
            \(rows(phases).joined(separator: "\n"))
            """
    }

    /// A result that is the same everywhere is written once.
    private func rows(_ phases: [Atlas.Phase]) -> [String] {
        var rows: [(stimuli: [Stimulus], cells: [String])] = []
        for stimulus in Stimulus.allCases {
            let cells = phases.map { cell(stimulus, $0) }
            if let same = rows.firstIndex(where: { $0.cells == cells }) {
                rows[same].stimuli.append(stimulus)
            } else {
                rows.append(([stimulus], cells))
            }
        }
        return rows.map { "| \($0.stimuli.list) | \($0.cells.joined(separator: " | ")) |" }
    }

    private func cell(_ stimulus: Stimulus, _ phase: Atlas.Phase) -> String {
        let outcomes = atlas.outcomes(of: stimulus, from: phase)
        let reached = Atlas.Phase.allCases.filter { next in
            next != phase && outcomes.contains { $0.after == next }
        }
        let stays = outcomes.filter { $0.after == phase }
        let isRefused = stays.contains { $0.refusal != nil }
        let isDone = stays.contains { $0.refusal == nil && !($0.changesNothing && $0.answers.isEmpty) }
        return (reached.map(\.rawValue) + (isDone ? ["✓"] : []) + (isRefused ? ["✗"] : [])).joined(separator: " ")
    }
}
