import Base
import JSON
import LineCore
import Testing

/// Digits of a Verto line: in order, with their pauses; unsent ones are reported exactly.
@Suite struct VertoDTMFTests {
    private let leg = CallID(.phone, 1)

    private func digits(_ ground: VertoGround) -> [JSONValue?] {
        ground.frames.filter { $0["method"] == "telnyx_rtc.info" }.map { $0["params"]?["dtmf"] }
    }

    /// Until the line is idle for this long.
    private func run(_ ground: inout VertoGround, for duration: Duration) -> [JSONValue?] {
        let end = ground.now + duration
        var sent: [JSONValue?] = []
        while let deadline = ground.line.deadline, deadline <= end {
            ground.now = deadline
            ground.post(.deadline)
            sent += digits(ground)
        }
        ground.now = max(ground.now, end)
        return sent
    }

    @Test func commaPausesBetweenDigits() throws {
        var ground = try VertoGround()
        _ = try ground.talk(leg)
        ground.post(.command(.dtmf(leg, [.symbol(.one), .pause, .symbol(.two)])))
        #expect(digits(ground) == ["1"])
        try ground.answer([:])
        #expect(run(&ground, for: .milliseconds(1_900)) == [])
        #expect(run(&ground, for: .seconds(1)) == ["2"])
        try ground.answer([:])
        _ = run(&ground, for: .seconds(1))
        ground.post(.command(.dtmf(leg, [.symbol(.three)])))
        #expect(digits(ground) == ["3"], "the first order is done")
    }

    @Test func fullQueueRejectsOneOrderOnly() throws {
        var ground = try VertoGround()
        _ = try ground.talk(leg)
        ground.post(.command(.dtmf(leg, Array(repeating: .symbol(.one), count: 64))))
        ground.post(.command(.dtmf(leg, [.symbol(.two), .symbol(.three)])))
        #expect(ground.outputs == [.event(.dtmfSent(leg, unsent: [.symbol(.two), .symbol(.three)]))])
    }

    @Test func unsentDigitsAreReported() throws {
        var ground = try VertoGround()
        _ = try ground.talk(leg)
        ground.post(.command(.dtmf(leg, [.symbol(.one), .symbol(.two), .pause, .symbol(.three)])))
        try ground.answer([:])
        #expect(run(&ground, for: .seconds(1)) == ["2"])
        ground.lose()
        #expect(ground.outputs.contains(.event(.dtmfSent(leg, unsent: [.symbol(.two), .pause, .symbol(.three)]))))
    }
}
