import Control
import Rig
import HostStalls
import Testing

/// Transfers between the phone and two of Debian's linphonec, which supports REFER and Replaces.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: HostPair.isPossible && Linphone.isInstalled, "needs root, iproute2 and linphone-cli (Scripts/setup test)")
)
struct LinphoneTransferTests {
    private let all: Threesome<Linphone>

    init() throws { all = try Threesome() }

    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func linphoneTransfersPhone() throws {
        try all.callFirst()
        all.first.console.type("transfer \(all.secondAddress)")
        try all.ours.agree()
        try all.second.answer()
        try all.ours.expectEnd("transferred")
        try all.first.waitForEnd()
        try all.expectWeTalk()
    }

    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func phoneTransfersLinphone() throws {
        try all.callFirst()
        try all.sendElsewhere()
        try all.second.answer()
        try all.ours.expectEnd("transferred")
        try all.expectTheyTalk()
    }

    /// Replaces tells the second which call the new one replaces, so it does not ring again.
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func phoneTransfersAttended() throws {
        try all.bringTogether()
        for _ in 0..<2 { try all.ours.expectEnd("transferred") }
        try all.second.waitForEnd()
        try all.second.waitForVoice()
        try all.expectTheyTalk()
    }

    /// The phone's own INVITE has Replaces.
    @Test(.limit(minutesEachTime: 2)) func linphoneTransfersAttended() throws {
        try all.callFirst()
        all.first.console.type("pause")
        try all.ours.phone.wait(for: "callHeld") { $0.fields["summary"]?["heldThere"] == true }
        all.first.console.type("call \(all.secondAddress)")
        try all.second.answer()
        // It forwards only known state; the second's answer reaches it after the second reports it.
        try all.first.console.waitFor("for call 2")
        all.first.console.type("transfer 1 --to-call 2")
        try all.ours.agree()
        try all.ours.expectEnd("transferred")
        try all.second.waitForVoice()
        try all.expectWeTalk()
    }
}
