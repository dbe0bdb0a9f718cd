import Base
import Panel
import PhoneCore
import Testing

@Suite("Panel latency, in simulated time")
struct LatencyTests {
    private static func at(_ microseconds: Int64) -> Instant { Instant(nanoseconds: microseconds * 1_000) }

    @Test("the figures of few and many samples are right")
    func figuresOfFewAndManySamplesAreRight() throws {
        #expect(LatencyFigures([]) == nil)
        let one = try #require(LatencyFigures([.microseconds(7)]))
        #expect([one.least, one.median, one.percentile99, one.most].allSatisfy { $0 == .microseconds(7) })
        let many = try #require(LatencyFigures((1...200).reversed().map { .microseconds($0) }))
        #expect(many.count == 200 && many.least == .microseconds(1) && many.median == .microseconds(100))
        #expect(many.percentile99 == .microseconds(198) && many.most == .microseconds(200))
        #expect("\(many)" == "200 times: least 1 µs, median 100 µs, 99 % within 198 µs, most 200 µs")
    }

    @Test("an event is measured from its last edge, without debounce; a bounce is no edge of the next event")
    func eventIsMeasuredFromItsLastEdgeWithoutDebounce() throws {
        var tally = LatencyTally(try Boards.small())
        tally.woke([LineEdge(line: 0, active: true, at: Self.at(1_000))], at: Self.at(1_050))
        tally.woke(
            [
                LineEdge(line: 0, active: false, at: Self.at(2_000)),
                LineEdge(line: 0, active: true, at: Self.at(3_000)),
            ],
            at: Self.at(3_200))
        #expect(tally.awake == [.microseconds(50), .microseconds(1_200), .microseconds(200)])
        let lifted = tally.told(.hook(.offHook), at: Self.at(33_090))
        let told = try #require(lifted)
        #expect(told == (.microseconds(90), .milliseconds(30)) && tally.told == [.microseconds(90)])
        // The edge of this event was lost: the former event's bounce does not replace it.
        #expect(tally.told(.hook(.onHook), at: Self.at(9_000_000)) == nil)
    }

    @Test("a press and release reported together are measured separately")
    func pressAndReleaseReportedTogetherAreMeasuredSeparately() throws {
        var tally = LatencyTally(try Boards.small())
        tally.woke(
            [LineEdge(line: 7, active: true, at: Self.at(0)), LineEdge(line: 7, active: false, at: Self.at(50_000))],
            at: Self.at(55_000))
        let hold = try #require(Key(name: "hold"))
        #expect(tally.told(.pressed(hold), at: Self.at(55_000))?.late == .milliseconds(45))
        #expect(tally.told(.released(hold), at: Self.at(60_300))?.late == .microseconds(300))
    }

    @Test("in a matrix a press counts from its first edge; scan edges and twitches do not count")
    func inMatrixPressCountsFromItsFirstEdge() throws {
        var tally = LatencyTally(try Boards.small())
        let five = try #require(Key(name: "5"))
        for round in Int64(0)..<2 {
            let start = round * 5_000_000
            // A twitch that no key follows, and then a key.
            tally.woke([LineEdge(line: 5, active: true, at: Self.at(start))], at: Self.at(start + 10))
            let press = start + 2_000_000
            tally.woke([LineEdge(line: 6, active: true, at: Self.at(press))], at: Self.at(press + 40))
            tally.woke([LineEdge(line: 6, active: true, at: Self.at(press + 900))], at: Self.at(press + 950))
            #expect(tally.told(.pressed(five), at: Self.at(press + 15_000))?.late == .milliseconds(5))
            tally.woke([LineEdge(line: 6, active: true, at: Self.at(press + 20_000))], at: Self.at(press + 20_010))
            #expect(tally.told(.released(five), at: Self.at(press + 90_000)) == nil)
        }
        #expect(tally.awake.count == 4)
    }

    @Test("an event without an edge is not measured, and the samples are bounded")
    func eventWithoutEdgeIsNotMeasuredAndSamplesAreBounded() throws {
        var tally = LatencyTally(try Boards.small())
        #expect(tally.told(.hookFound(.offHook), at: .zero) == nil && tally.told(.failed("x"), at: .zero) == nil)
        #expect(tally.told(.input("tamper", active: true), at: .zero) == nil)
        for edge in 0..<Int64(LatencyTally.most + 10) {
            tally.woke([LineEdge(line: 7, active: edge.isMultiple(of: 2), at: Self.at(edge))], at: Self.at(edge))
        }
        #expect(tally.awake.count == LatencyTally.most && tally.told.isEmpty)
    }

    @Test("a worn contact in simulated time is never measured early")
    func wornContactInSimulatedTimeIsNeverMeasuredEarly() throws {
        let board = try Boards.small()
        var time = SimulatedTime(board, bounce: .typical, seed: 3)
        var wiring = SimulatedWiring(PanelPlan(board.panel), bounce: .typical, seed: 3)
        var tally = LatencyTally(board)
        try time.apply(.liftHook)
        try wiring.apply(.liftHook, at: .zero)
        time.run(for: .milliseconds(100))
        wiring.advance(to: Self.at(100_000))
        tally.woke(wiring.takeEdges(), at: Self.at(100_000))
        let event = try #require(time.events.first { $0.event == .hook(.offHook) })
        #expect(tally.told(event.event, at: event.at)?.late == .zero)
    }
}
