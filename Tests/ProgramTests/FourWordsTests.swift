import Base
import Bench
import Control
import HostStalls
import JSON
import Rig
import Testing

/// Two persons compare the four words of a call, whose keys come from a handshake, and need not do it again.
@Suite(.serialized, .stallsForgiven) struct FourWordsTests {
    private static func call(_ phone: RigPhone) throws -> JSONValue? {
        try phone.ask("getSnapshot")["calls"]?.array?.first
    }

    /// The words follow the voice.
    private static func words(_ phone: RigPhone) throws -> String {
        let end = MonotonicTime.now + .seconds(5)
        while MonotonicTime.now < end { if let words = try call(phone)?["words"]?.string { return words } }
        throw RigPhone.Failure.noEvent(name: phone.name, awaited: "words", last: [])
    }

    @Test(.limit(minutesEachTime: 2)) func comparedOnceTheFarEndIsKnown() throws {
        let pair = try PhonePair(protection: "dtls")
        try pair.establish()
        let (here, there) = (try Self.words(pair.alice), try Self.words(pair.bob))
        #expect(here == there && here.split(separator: " ").count == 4)
        #expect(try Self.call(pair.alice)?["protection"] == "dtls" && Self.call(pair.alice)?["key"] == "new")
        let status = try Command(["ctl", "status", "--socket", pair.alice.folder.socket], in: pair.workplace)
        #expect(status.output.contains("words: \(here)"))

        let said = try Command(["ctl", "words", "agree", "--socket", pair.alice.folder.socket], in: pair.workplace)
        #expect(said.exit == .status(0), "\(said)")
        #expect(try Self.call(pair.alice)?["protection"] == "verified")
        #expect(try Self.call(pair.bob)?["protection"] == "dtls", "nobody said it there")

        try pair.alice.ask("hangup")
        for phone in [pair.alice, pair.bob] { try phone.wait(for: "callEnded") }
        try pair.establish()
        #expect(try Self.words(pair.alice) != here, "each call has its own")
        #expect(try Self.call(pair.alice)?["protection"] == "verified" && Self.call(pair.alice)?["key"] == "compared")
        let history = try pair.alice.ask("getHistory")["calls"]?.array
        #expect(history?.first?["protection"] == "verified")

        // Whoever reads other words is not the one whose key this is.
        try pair.alice.ask("compareWords", ["agree": false])
        #expect(try Self.call(pair.alice)?["protection"] == "dtls" && Self.call(pair.alice)?["key"] == "changed")
        for phone in [pair.alice, pair.bob] { #expect(phone.process.stop().exit == .status(0)) }
    }
}
