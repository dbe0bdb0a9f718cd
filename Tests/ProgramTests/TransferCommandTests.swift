import Bench
import HostStalls
import JSON
import Rig
import Testing

/// `offhook ctl transfer`, between two phones.
@Suite(.serialized, .stallsForgiven) struct TransferCommandTests {
    /// Bob follows no transfers: his phone accepts the request, and then reports that it did not call.
    @Test(.limit(minutesEachTime: 1), arguments: [["transfer", "999"], ["park", "999"]])
    func unperformedTransferFails(words: [String]) throws {
        let pair = try PhonePair()
        try pair.establish()
        let socket = pair.alice.folder.socket
        let plain = try Command(["ctl"] + words + ["--socket", socket], in: pair.workplace)
        #expect(plain.exit == .status(1) && plain.output.contains("transfer of 102 to 999 failed"), "\(plain)")
        let asJSON = try Command(["ctl"] + words + ["--json", "--socket", socket], in: pair.workplace)
        let line = asJSON.output.split(separator: "\n").first { $0.hasPrefix("{") } ?? ""
        let told = try JSONValue(parsing: String(line))
        #expect(asJSON.exit == .status(1) && told["error"]?["code"] == "transferFailed", "\(asJSON)")
        #expect(try pair.alice.ask("getSnapshot")["calls"]?.array?.count == 1)
        for phone in [pair.alice, pair.bob] { #expect(phone.process.stop().exit == .status(0)) }
    }
}
