import Bench
import Control
import HostStalls
import JSON
import Rig
import Testing

/// Two people compare the four words of a DTLS call once, and need not repeat it.
@Suite(.serialized, .stallsForgiven) struct FourWordsTests {
    @Test(.limit(minutesEachTime: 2)) func farEndIsVerifiedAfterOneComparison() throws {
        let pair = try PhonePair(protection: "dtls")
        try pair.establish()
        let (here, there) = (try pair.alice.words(), try pair.bob.words())
        #expect(here == there && here.split(separator: " ").count == 4)
        #expect(try pair.alice.firstCall()?["protection"] == "dtls" && pair.alice.firstCall()?["key"] == "new")
        let status = try Command(["ctl", "status", "--socket", pair.alice.folder.socket], in: pair.workplace)
        #expect(status.output.contains("words: \(here)"))

        let said = try Command(["ctl", "words", "agree", "--socket", pair.alice.folder.socket], in: pair.workplace)
        #expect(said.exit == .status(0), "\(said)")
        #expect(try pair.alice.firstCall()?["protection"] == "verified")
        #expect(try pair.bob.firstCall()?["protection"] == "dtls", "no person confirmed it there")

        try pair.alice.ask("hangup")
        for phone in [pair.alice, pair.bob] { try phone.wait(for: "callEnded") }
        try pair.establish()
        #expect(try pair.alice.words() != here, "each call has its own")
        #expect(try pair.alice.firstCall()?["protection"] == "verified" && pair.alice.firstCall()?["key"] == "compared")
        let history = try pair.alice.ask("getHistory")["calls"]?.array
        #expect(history?.first?["protection"] == "verified")

        // If the words differ, the key is not the far end's.
        try pair.alice.ask("compareWords", ["agree": false])
        #expect(try pair.alice.firstCall()?["protection"] == "dtls" && pair.alice.firstCall()?["key"] == "changed")
        for phone in [pair.alice, pair.bob] { #expect(phone.process.stop().exit == .status(0)) }
    }
}
