import Base
import Bench
import Control
import Foundation
import Rig
import HostStalls
import Testing

/// Five thousand datagrams a second, without an effect on a call.
@Suite(.serialized, .stallsForgiven) struct FloodTests {
    /// The flood's content and source. The phones know 127.0.0.1, and no peer at 127.0.0.9.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case optionsOfAStranger, optionsOfTheServer, invitesOfAStranger, optionsAndGarbage
        var testDescription: String { rawValue }
        var source: String { self == .optionsOfTheServer ? "127.0.0.1" : "127.0.0.9" }
        var method: String { self == .invitesOfAStranger ? "INVITE" : "OPTIONS" }
        /// Datagrams a second. With garbage: as many requests to the SIP port, and as much garbage to it and to the
        /// ports of voice.
        var perSecond: Int { self == .optionsAndGarbage ? 2 * FloodTests.perSecond : FloodTests.perSecond }
    }

    static let perSecond = 5_000

    /// OPTIONS of a stranger come with the garbage, too.
    @Test(
        .limit(minutesEachTime: 2),
        arguments: Matrix.cases(
            [.optionsOfTheServer, .optionsAndGarbage], others: [Kind.optionsOfAStranger, .invitesOfAStranger]))
    func floodDoesNotDisturbCall(_ kind: Kind) throws {
        let pair = try PhonePair()
        try pair.establish()
        let before = try [pair.alice, pair.bob].map { try $0.anonymousKilobytes() }
        let flood = try Self.flood(kind, at: pair)
        defer { _ = flood.stop() }
        Conversation(
            first: (pair.alice.mouth, pair.alice.ear, pair.workplace.alice),
            second: (pair.bob.mouth, pair.bob.ear, pair.workplace.bob)
        ).expectUnderstood()
        let growth = zip(try [pair.alice, pair.bob].map { try $0.anonymousKilobytes() }, before).map(-)
        // A known peer is served in the middle of the flood. A peer at the flooding host shares that host's budget,
        // behind the call.
        let isHost = kind == .optionsOfTheServer
        let knocks = isHost ? [] : try (0..<5).map { _ in try Self.knock(at: pair.ports.bob) }
        try pair.alice.ask("hangup")
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        let rate = flood.stop()
        print("\(kind.rawValue): \(rate) a second, answers after \(knocks), \(growth) KB more")
        #expect(rate > kind.perSecond * 3 / 4, "the flood was a trickle: \(rate) a second")
        #expect(growth.allSatisfy { $0 < 8_192 }, "the phones grew by \(growth) KB")
        if !isHost { #expect(knocks.sorted()[2] < .milliseconds(50), "\(knocks)") }
        try pair.alice.expectNothingLost()
        try pair.bob.expectNothingLost()
        #expect(pair.bob.all("incomingCall").count == 1)
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    private static func flood(_ kind: Kind, at pair: PhonePair) throws -> Flood {
        let seeds = SeededGenerator(seed: 20_261_121)
        let junk = (0..<64).map { number in
            var generator = seeds
            for _ in 0..<number { _ = generator.next() }
            return (0..<Int.random(in: 1...400, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
        }
        let ports = [pair.ports.bob, 26_300, 26_301]
        let (signalling, method, isMixed) = (pair.ports.bob, kind.method, kind == .optionsAndGarbage)
        return try Flood(from: kind.source, perSecond: kind.perSecond) { number in
            let (round, place) = number.quotientAndRemainder(dividingBy: 2)
            guard !isMixed || place == 0 else { return (junk[round % junk.count], ports[round % ports.count]) }
            return (request(method, number, to: signalling), signalling)
        }
    }

    private static func request(_ method: String, _ number: Int, to port: UInt16) -> [UInt8] {
        Array(
            """
            \(method) sip:102@127.0.0.1:\(port) SIP/2.0\r
            Via: SIP/2.0/UDP 127.0.0.9:5060;rport;branch=z9hG4bKflood\(number)\r
            Max-Forwards: 70\r
            From: <sip:flood@127.0.0.9>;tag=\(number)\r
            To: <sip:102@127.0.0.1>\r
            Call-ID: flood-\(number)\r
            CSeq: 1 \(method)\r
            Contact: <sip:flood@127.0.0.9>\r
            Content-Length: 0\r
            \r\n
            """.utf8)
    }

    /// The time a known peer's request waits for its answer.
    private static func knock(at port: UInt16) throws -> Duration {
        let inquiry = try Inquiry(port: port)
        let start = MonotonicTime.now
        _ = try #require(inquiry.status(of: "102@127.0.0.1:\(port)", upTo: .seconds(2)))
        return MonotonicTime.now - start
    }
}
