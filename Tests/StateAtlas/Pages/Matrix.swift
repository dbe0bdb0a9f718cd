import PhoneCore

/// Stimulus by phase: the next phase of the call.
struct Matrix {
    private let atlas: Atlas

    init(_ atlas: Atlas) { self.atlas = atlas }

    var text: String {
        let phases = atlas.restingPhases
        let names = phases.map { $0.rawValue }.joined(separator: " | ")
        let rule = String(repeating: "|---", count: phases.count + 1) + "|"
        return """
            ## Phase and event

            A name is the call's next phase. `✓` means an effect in the same phase, `✗` a rejection. An empty
            cell means no effect. Several entries depend on the situation.

            | | \(names) |
            \(rule)
            \(rows(phases).joined(separator: "\n"))
            """
    }

    /// Stimuli with equal cells share a row, up to a limit.
    private func rows(_ phases: [Atlas.Phase]) -> [String] {
        var rows: [(stimuli: [Stimulus], cells: [String])] = []
        for stimulus in Stimulus.allCases {
            let cells = phases.map { cell(stimulus, $0) }
            if let same = rows.firstIndex(where: { $0.cells == cells && $0.stimuli.count < Listing.rowLimit }) {
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
