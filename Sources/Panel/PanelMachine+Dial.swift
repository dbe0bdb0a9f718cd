import Base
import PhoneCore

extension PanelMachine {
    /// The fewest edges of one line that a kernel keeps. As many at once may not have been all.
    private static let edgesKept = 16

    /// Gives the dial what is its own. A digit is a key that is pressed and let go of at once.
    mutating func dialled(_ edges: [LineEdge], active: Set<Int>, at now: Instant) -> [PanelEvent] {
        guard let lines = plan.dial else { return [] }
        let edges = edges.filter { $0.line == lines.pulse || $0.line == lines.offNormal }
        let isBroken = active.contains(lines.pulse)
        let isTurned = lines.offNormal.map(active.contains) ?? false
        // What is lost within less than a pulse, the levels make good.
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

    /// How many turns of the dial gave no digit.
    package var dialFaults: Int { dial?.faults ?? 0 }
}
