import Base
import LineCore
import SIPCore
import Testing

@Suite("Invalid memos")
struct MemoTests {
    private static let good =
        "1\nBYE sip:x@203.0.113.9 SIP/2.0\r\nFrom: <sip:a@192.0.2.1>;tag=a\r\nTo: <sip:x@203.0.113.9>;tag=x\r\n"
        + "Call-ID: c\r\nCSeq: 70000 BYE\r\n\r\n"

    private func world() -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        return world
    }

    @Test("a valid memo is sent as BYE, with nothing superfluous")
    func validMemoIsSentAsBYEWithNothingSuperfluous() throws {
        var world = world()
        let extra = Self.good.replacing(
            "CSeq", with: "Contact: <sip:evil@203.0.113.1>\r\nProxy-Authorization: x\r\nCSeq")
        world.command(0, .orphanBye(.direct, memo: extra))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last)
        #expect(try bye.headers.cSeq.number == 70_000)
        #expect(!bye.headers.contains(.contact) && !bye.headers.contains(.proxyAuthorization))
    }

    private static let broken: [String] = [
        "", "1", "1\n", "\n\n", "2" + good.dropFirst(), "one" + good.dropFirst(), good.replacing("BYE", with: "INVITE"),
        good.replacing("70000 BYE", with: "70000 ACK"), good.replacing("70000", with: "2147483647"),
        good.replacing(";tag=a", with: ""), good.replacing("From", with: "Form"), good.replacing("Call-ID", with: "X"),
        good.replacing("sip:x@203.0.113.9 SIP", with: "http://x SIP"), good.replacing("SIP/2.0", with: "SIP/3.0"),
        good.replacing("sip:x@203.0.113.9 SIP", with: "sip:x@203.0.113.9?Subject=x SIP"),
        good.replacing("CSeq", with: "Route: <nonsense\r\nCSeq"),
        good.replacing("Call-ID: c", with: "Call-ID: " + String(repeating: "c", count: 2_048)),
        "1\nSIP/2.0 200 OK\r\nFrom: <sip:a@b>;tag=a\r\n\r\n",
    ]

    @Test("an invalid memo is dropped and counted, and nothing is sent", arguments: broken)
    func invalidMemoIsDroppedAndCountedAndNothingIsSent(memo: String) {
        var world = world()
        world.command(0, .orphanBye(.direct, memo: memo))
        world.run(.seconds(3))
        let drops = world.outputs(0).filter { if case .dropped(.malformed) = $0 { true } else { false } }
        #expect(drops.count == 1)
        #expect(world.sent == 0 && world.lines[0].deadline == nil)
    }

    @Test("a memo damaged at any place causes no crash", arguments: 0..<10)
    func memoDamagedAtAnyPlaceCausesNoCrash(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var world = world()
            var bytes = Array(Self.good.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            world.command(0, .orphanBye(.direct, memo: String(decoding: bytes, as: UTF8.self)))
            world.run(.seconds(40))
            #expect(world.caughtRequests.allSatisfy { $0.method == .bye })
            #expect(world.lines[0].deadline == nil)
        }
    }

    @Test("an unknown destination or a shutdown is not waited for")
    func unknownDestinationOrShutdownIsNotWaitedFor() {
        var world = world()
        world.command(0, .orphanBye(.direct, memo: Self.good.replacing("203.0.113.9", with: "nowhere.example")))
        #expect(world.lines[0].deadline == nil)
        world.command(0, .shutDown)
        world.command(0, .orphanBye(.direct, memo: Self.good))
        world.run(.seconds(1))
        #expect(world.sent == 0)
    }
}
