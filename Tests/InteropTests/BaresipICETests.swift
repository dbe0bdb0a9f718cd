import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// Calls with Debian's baresip that use ICE at both ends, voice checked at both ears.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: HostPair.isPossible && Baresip.isInstalled, "needs root, iproute2 and baresip (Scripts/setup test)"))
struct BaresipICETests {
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases(["dtls"], others: ["mandatory"]))
    func phoneCallsBaresip(protection: String) throws {
        let ours = try HostedPhone(protection: protection, ice: "always")
        let peer = try ours.baresip(protection == "dtls" ? "dtls_srtp" : "srtp-mand", doesICE: true)
        try ours.call(peer)
        ours.converse(with: peer)
        #expect(try ours.paths() == ["10.77.0.2"])
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
        _ = peer.process.stop()
    }

    /// Accounts answer ICE by default.
    @Test(.limit(minutesEachTime: 2)) func baresipCallsPhone() throws {
        let ours = try HostedPhone(protection: "mandatory")
        let peer = try ours.baresip("dtls_srtp", doesICE: true)
        try peer.command("dial", ours.address)
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        ours.converse(with: peer)
        #expect(try ours.paths() == ["10.77.0.2"])
        try peer.command("hangup")
        try ours.expectEnd("hungUpThere")
        ours.finish()
        _ = peer.process.stop()
    }
}

extension HostedPhone {
    /// The hosts of the paths that the phone found, by its log.
    func paths() throws -> [String] {
        try String(contentsOfFile: phone.folder.log, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard let start = line.firstRange(of: "is to ")?.upperBound, line.contains("the path of ") else {
                return nil
            }
            return String(line[start...].prefix { $0 != " " })
        }
    }
}
