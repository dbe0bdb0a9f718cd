import Base
import Bench
import Control
import Foundation
import HostStalls
import Rig
import Testing

/// A thousand programs that come, die and come again, and a call that does not notice.
@Suite(.serialized, .stallsForgiven) struct CrowdTests {
    private static let port: UInt16 = 26_190

    @Test(.limit(minutesEachTime: 2)) func aCallDoesNotNoticeAThousandPrograms() throws {
        let pair = try PhonePair { $0.httpPort = Self.port }
        let added = try Command(
            ["ctl", "token", "add", "crowd", "--scope", "observe", "--socket", pair.alice.folder.socket],
            in: pair.workplace)
        let token = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(token.hasPrefix("ohk_"), "\(added)")
        try pair.establish()
        let before = try pair.alice.anonymousKilobytes()
        let crowd = Crowd(socket: pair.alice.folder.socket, port: Self.port, token: token, seed: 20_261_125)
        Conversation(
            first: (pair.alice.mouth, pair.alice.ear, pair.workplace.alice),
            second: (pair.bob.mouth, pair.bob.ear, pair.workplace.bob)
        ).expectUnderstood()
        crowd.wait()
        try expectAlone(pair.alice)
        let growth = try pair.alice.anonymousKilobytes() - before
        print("\(Crowd.size) programs, \(growth) KB more")
        #expect(growth < 4_096, "the phone grew by \(growth) KB")
        try pair.alice.ask("hangup")
        #expect(try pair.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        try pair.alice.expectNothingLost()
        try pair.bob.expectNothingLost()
        #expect(pair.alice.process.stop().exit == .status(0))
        #expect(pair.bob.process.stop().exit == .status(0))
    }

    /// Nobody is connected but the test, nothing waits, and most of the crowd was served.
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
