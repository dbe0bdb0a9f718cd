import Base
import Bench
import Control
import Foundation
import Glibc
import HostStalls
import JSON
import Rig
import Testing

/// A thousand programs that come, die and return, without an effect on a call.
@Suite(.serialized, .stallsForgiven) struct CrowdTests {
    private static let port: UInt16 = 26_190

    /// The first crowd pays for code, buffers and the allocator's arenas that the phone had not touched before. The
    /// second one finds all of it there.
    private static let (ofTheFirst, ofTheSecond) = (2_048, 256)

    /// Two phones in a call, and a token for the first one's interface.
    private func talking() throws -> (pair: PhonePair, token: String) {
        let pair = try PhonePair { $0.httpPort = Self.port }
        let added = try Command(
            ["ctl", "token", "add", "crowd", "--scope", "observe", "--socket", pair.alice.folder.socket],
            in: pair.workplace)
        let token = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(token.hasPrefix("ohk_"), "\(added)")
        try pair.establish()
        return (pair, token)
    }

    private func expectUnderstood(_ pair: PhonePair) {
        Conversation(
            first: (pair.alice.mouth, pair.alice.ear, pair.workplace.alice),
            second: (pair.bob.mouth, pair.bob.ear, pair.workplace.bob)
        ).expectUnderstood()
    }

    private func hangUp(_ pair: PhonePair) throws {
        try pair.alice.ask("hangup")
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        try pair.alice.expectNothingLost()
        try pair.bob.expectNothingLost()
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func thousandProgramsDoNotDisturbCall() throws {
        let (pair, token) = try talking()
        var kilobytes = [try pair.alice.anonymousKilobytes()]
        for seed: UInt64 in [20_261_125, 20_261_126] {
            let crowd = Crowd(socket: pair.alice.folder.socket, port: Self.port, token: token, seed: seed)
            if seed == 20_261_125 { expectUnderstood(pair) }
            crowd.wait()
            try expectAlone(pair.alice)
            kilobytes.append(try pair.alice.anonymousKilobytes())
        }
        let (first, second) = (kilobytes[1] - kilobytes[0], kilobytes[2] - kilobytes[1])
        print("\(Crowd.size) programs, \(first) KB more, and again as many, \(second) KB more")
        #expect(first < Self.ofTheFirst, "the phone grew by \(first) KB")
        #expect(second < Self.ofTheSecond, "and by \(second) KB more")
        try hangUp(pair)
    }

    @Test(.limit(minutesEachTime: 2)) func fiveHundredConnectionsDoNotDisturbCall() throws {
        let (pair, token) = try talking()
        let clients = Crowd.connections(500, port: Self.port, token: token)
        var open: JSONValue?
        for _ in 0..<100 where open != 500 {
            open = try pair.alice.ask("getStatistics")["control"]?["http"]?["connections"]
            usleep(50_000)
        }
        #expect(open == 500)
        expectUnderstood(pair)
        for client in clients { close(client) }
        try hangUp(pair)
    }

    /// Only the test is connected, nothing waits, and most of the crowd was served.
    private func expectAlone(_ phone: RigPhone) throws {
        var figures: JSONValue = nil
        let end = MonotonicTime.now + .seconds(10)
        repeat {
            figures = try phone.ask("getStatistics")["control"] ?? nil
        } while (figures["connections"] != 1 || figures["http"]?["connections"] != 0) && MonotonicTime.now < end
        #expect(figures["connections"] == 1 && figures["requestsInFlight"] == 0, "\(figures)")
        #expect(figures["http"]?["connections"] == 0, "\(figures)")
        #expect(figures["http"]?["accepted"]?.integer ?? 0 > 500, "\(figures)")
    }
}
