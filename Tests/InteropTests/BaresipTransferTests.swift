import Control
import Rig
import HostStalls
import Testing

/// Transfers between the phone and two of Debian's baresip, which supports REFER but not Replaces. It calls the
/// target, then has two calls, and leaves the end of the first one to us.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: HostPair.isPossible && Baresip.isInstalled, "needs root, iproute2 and baresip (Scripts/setup test)"))
struct BaresipTransferTests {
    private let all: Threesome<Baresip>

    init() throws { all = try Threesome() }

    @Test(.limit(minutesEachTime: 2)) func baresipTransfersPhone() throws {
        try all.callFirst()
        try all.first.command("transfer", all.secondAddress)
        try all.ours.agree()
        try all.second.answer()
        try all.ours.expectEnd("transferred")
        try all.first.waitForEnd()
        try all.expectWeTalk()
    }

    @Test(.limit(minutesEachTime: 2)) func phoneTransfersBaresip() throws {
        try all.callFirst()
        try all.sendElsewhere()
        try all.second.answer()
        try all.ours.expectEnd("transferred")
        try all.expectTheyTalk()
    }

    @Test(.limit(minutesEachTime: 2)) func refusedTransferKeepsCall() throws {
        let call = try all.callFirst()
        try all.sendElsewhere()
        try all.second.waitFor("CALL_INCOMING")
        try all.second.hangUp()
        try all.ours.phone.wait(for: "transferFailed")
        #expect(try all.ours.phone.ask("getSnapshot")["calls"]?.array?.map { $0["call"] } == [call])
        try all.ours.phone.ask("hangup")
        try all.ours.expectEnd("hungUpHere")
        all.ours.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func phoneTransfersAttended() throws {
        try all.bringTogether()
        try all.second.answer()
        for _ in 0..<2 { try all.ours.expectEnd("transferred") }
        try all.second.waitForEnd()
        try all.expectTheyTalk()
    }
}
