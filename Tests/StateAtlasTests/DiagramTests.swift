import StateAtlas
import Testing

@Suite struct DiagramTests {
    private static let diagram = Diagram(Atlas())

    @Test func everyTransitionHasItsPlace() {
        for edge in Self.diagram.edges {
            #expect(edge.place != nil, "\(edge.transition) needs a way in Layout.swift")
        }
    }

    @Test func noTextTouchesABoxOrAnotherText() {
        let edges = Self.diagram.edges
        for (index, edge) in edges.enumerated() {
            guard let place = edge.place else { continue }
            #expect(Diagram.frame.contains(place), "\(edge.transition)")
            let isClear = !Diagram.boxes.contains(where: place.overlaps)
            #expect(isClear, "\(edge.transition) is written over a box")
            for other in edges[(index + 1)...] where other.place.map(place.overlaps) ?? false {
                Issue.record("\(edge.transition) and \(other.transition) are written over each other")
            }
        }
    }
}
