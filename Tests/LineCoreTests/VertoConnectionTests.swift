import Base
import JSON
import LineCore
import SIPCore
import Testing

/// Which of its server's addresses a Verto line connects to, and whether it stays there.
@Suite struct VertoConnectionTests {
    private static let second = Flow(.wss, local: VertoGround.flow.local, remote: .init("203.0.113.10", 443))

    private func located(_ ground: inout VertoGround, _ flows: [Flow]) throws -> [Flow] {
        for _ in 0..<10 where !ground.outputs.contains(.locate(VertoGround.server, [])) {
            ground.now = try #require(ground.line.deadline)
            ground.post(.deadline)
        }
        ground.post(.located(VertoGround.server, flows))
        return ground.outputs.compactMap { if case .send(_, let flow) = $0 { flow } else { nil } }
    }

    @Test func secondAddressIsTriedAfterFailure() throws {
        var ground = try VertoGround()
        ground.post(.start)
        let flows = [VertoGround.flow, Self.second]
        #expect(try located(&ground, flows) == [VertoGround.flow])
        ground.post(.transportFailed(VertoGround.flow, because: "no answer"))
        #expect(try located(&ground, flows) == [Self.second])
        ground.post(.transportFailed(Self.second, because: "no answer"))
        #expect(try located(&ground, flows) == [VertoGround.flow])
    }

    /// Its calls are reattached at the former address.
    @Test func lastWorkingAddressComesFirst() throws {
        var ground = try VertoGround()
        try ground.register()
        ground.lose()
        #expect(try located(&ground, [Self.second, VertoGround.flow]) == [VertoGround.flow])
        ground.post(.transportFailed(VertoGround.flow, because: "refused"))
        #expect(try located(&ground, [Self.second, VertoGround.flow]) == [Self.second])
    }

    /// DNS is silent: the existing connection shows whether the server is there.
    @Test func failedLookupKeepsConnection() throws {
        var ground = try VertoGround()
        _ = try ground.talk(CallID(.phone, 1))
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect(.direct)))
        ground.post(.located(VertoGround.server, []))
        #expect(ground.frames.map { $0["method"] } == ["telnyx_rtc.ping"])
    }
}
