import PhoneCore

extension PanelMachine {
    /// Takes the levels at the start as they are: a knob that rests with closed contacts was not turned.
    mutating func findEncoder(_ active: Set<Int>) {
        encoder = plan.encoder.map {
            RotaryEncoder(
                changes: $0.changes, leading: active.contains($0.leading), trailing: active.contains($0.trailing))
        }
    }

    /// Passes the encoder's edges and levels to it. Each detent becomes a volume key that is pressed and released at
    /// once.
    mutating func turned(_ edges: [LineEdge], active: Set<Int>) -> [PanelEvent] {
        guard let lines = plan.encoder, var knob = encoder else { return [] }
        var turns: [RotaryEncoder.Direction?] = []
        for edge in edges where edge.line == lines.leading || edge.line == lines.trailing {
            let isLeading = edge.line == lines.leading
            turns.append(
                knob.moved(
                    leading: isLeading ? edge.active : knob.leading,
                    trailing: isLeading ? knob.trailing : edge.active))
        }
        // The levels correct errors from lost edges.
        turns.append(knob.moved(leading: active.contains(lines.leading), trailing: active.contains(lines.trailing)))
        encoder = knob
        return turns.compactMap { $0 }.flatMap { turn -> [PanelEvent] in
            let key: Key = turn == .clockwise ? .volumeUp : .volumeDown
            return [.pressed(key), .released(key)]
        }
    }
}
