import Base
import PhoneCore

extension PanelMachine {
    /// The fewest edges of one line that a kernel keeps. If this many come at once, others may have been lost.
    static let edgesKept = 16

    /// Passes the dial's edges and levels to it. A digit becomes a key that is pressed and released at once.
    mutating func dialled(_ edges: [LineEdge], active: Set<Int>, at now: Instant) -> [PanelEvent] {
        guard let lines = plan.dial else { return [] }
        let edges = edges.filter { $0.line == lines.pulse || $0.line == lines.offNormal }
        let isBroken = active.contains(lines.pulse)
        let isTurned = lines.offNormal.map(active.contains) ?? false
        // If all edges came within less than a pulse, `looked` finds a loss by the levels.
        if let first = edges.first, edges.count >= Self.edgesKept, now - first.at >= lines.timing.shortestRest {
            dial?.lostEdges(isBroken: isBroken, isTurned: isTurned, at: now)
            return []
        }
        var digits: [DTMFSymbol] = []
        for edge in edges {
            let contact = edge.line == lines.pulse ? RotaryDial.Contact.pulse : .offNormal
            digits += dial?.edge(of: contact, to: edge.active, at: edge.at) ?? []
        }
        digits += dial?.looked(isBroken: isBroken, isTurned: isTurned, at: now) ?? []
        return digits.flatMap { [.pressed(.digit($0)), .released(.digit($0))] }
    }

    /// The number of dial turns that gave no digit.
    package var dialFaults: Int { dial?.faults ?? 0 }
}
