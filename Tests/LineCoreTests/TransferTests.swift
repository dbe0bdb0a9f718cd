import Base
import LineCore
import SIPCore
import Testing

@Suite("Transfer between three lines")
struct TransferTests {
    @Test("a blind transfer asks the far end, which calls, reports and is hung up")
    func blindTransferAsksFarEndWhichCallsReportsAndIsHungUp() {
        var transfers = Transfers()
        transfers.refer()
        #expect(transfers.calls.world.referrals(1) == ["carol"])
        #expect(transfers.calls.world.transfers(0) == [.event(.transferSettled(transfers.aliceLeg, accepted: true))])
        transfers.calls.world.command(
            2, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 7_000), awaitingACK: false))
        transfers.calls.world.run(.milliseconds(500))
        #expect(
            transfers.calls.world.transfers(0).last == .event(.transferred(transfers.aliceLeg, succeeded: true)))
        // Bob's phone ends the old call; Alice gets a moment to do it first.
        transfers.calls.world.command(1, .end(transfers.bobLeg))
        transfers.calls.world.run(.milliseconds(500))
        #expect(transfers.calls.world.ends(1, transfers.bobLeg).isEmpty)
        transfers.calls.world.command(0, .end(transfers.aliceLeg))
        transfers.calls.world.run(.seconds(100))
        #expect(transfers.calls.world.ends(0, transfers.aliceLeg) == [.hungUpHere])
        #expect(transfers.calls.world.ends(1, transfers.bobLeg) == [.hungUpThere])
        #expect(transfers.calls.world.agreed(1, transfers.followed) != nil)
        transfers.calls.world.command(1, .end(transfers.followed))
        transfers.calls.world.run(.seconds(100))
        #expect(transfers.calls.world.lines.allSatisfy { $0.deadline == nil }, "nothing is left to do")
    }

    @Test("a referrer that does not hang up is hung up after a moment")
    func referrerThatDoesNotHangUpIsHungUpAfterMoment() {
        var transfers = Transfers()
        transfers.refer()
        transfers.calls.world.command(
            2, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 7_000), awaitingACK: false))
        transfers.calls.world.run(.milliseconds(500))
        transfers.calls.world.command(1, .end(transfers.bobLeg))
        transfers.calls.world.run(.milliseconds(900))
        #expect(transfers.calls.world.ends(0, transfers.aliceLeg).isEmpty)
        transfers.calls.world.run(.milliseconds(300))
        #expect(transfers.calls.world.ends(1, transfers.bobLeg) == [.hungUpHere])
        #expect(transfers.calls.world.ends(0, transfers.aliceLeg) == [.hungUpThere])
    }

    @Test("a failed transfer keeps the call, and another may follow")
    func failedTransferKeepsCallAndAnotherMayFollow() {
        var transfers = Transfers()
        transfers.refer()
        transfers.calls.world.command(2, .refuse(CallID(.line(.direct), 1), .busy))
        transfers.calls.world.run(.seconds(1))
        #expect(transfers.calls.world.ends(1, transfers.followed) == [.busyThere])
        #expect(
            transfers.calls.world.transfers(0) == [
                .event(.transferSettled(transfers.aliceLeg, accepted: true)),
                .event(.transferred(transfers.aliceLeg, succeeded: false)),
            ])
        transfers.calls.world.command(0, .transfer(transfers.aliceLeg, to: Transfers.carol))
        transfers.calls.world.run(.seconds(1))
        transfers.calls.world.command(
            1, .follow(CallID(.phone, 51), after: transfers.bobLeg, account: .direct, MediaEndpoint(port: 6_000)))
        transfers.calls.world.run(.seconds(1))
        transfers.calls.world.command(
            2, .answer(CallID(.line(.direct), 2), MediaEndpoint(port: 7_000), awaitingACK: false))
        transfers.calls.world.run(.seconds(1))
        #expect(transfers.calls.world.transfers(0).last == .event(.transferred(transfers.aliceLeg, succeeded: true)))
    }

    @Test("a declined or undecided REFER is refused")
    func declinedOrUndecidedREFERIsRefused() {
        var transfers = Transfers()
        transfers.calls.world.command(0, .transfer(transfers.aliceLeg, to: Transfers.carol))
        transfers.calls.world.run(.milliseconds(500))
        transfers.calls.world.command(1, .declineReferral(transfers.bobLeg))
        transfers.calls.world.run(.milliseconds(500))
        let outcome: [LineOutput] = [
            .event(.transferSettled(transfers.aliceLeg, accepted: true)),
            .event(.transferred(transfers.aliceLeg, succeeded: false)),
        ]
        #expect(transfers.calls.world.transfers(0) == outcome)
        transfers.calls.world.command(0, .transfer(transfers.aliceLeg, to: Transfers.carol))
        transfers.calls.world.run(.seconds(40))
        #expect(transfers.calls.world.transfers(0) == outcome + outcome)
        transfers.calls.world.command(
            1, .follow(transfers.followed, after: transfers.bobLeg, account: .direct, MediaEndpoint(port: 6_000)))
        #expect(transfers.calls.world.ends(1, transfers.followed) == [.invalidTarget], "it is too late for that")
    }

    @Test("an attended transfer replaces the old call by the target's new one")
    func attendedTransferReplacesOldCallByTargetNewOne() {
        var transfers = Transfers()
        transfers.consult()
        transfers.calls.world.command(0, .connect(transfers.aliceLeg, transfers.asked))
        transfers.follow()
        #expect(transfers.calls.world.replaced(2) == [nil, CallID(.line(.direct), 1)])
        transfers.calls.world.command(
            2, .answer(CallID(.line(.direct), 2), MediaEndpoint(port: 7_100), awaitingACK: false))
        transfers.calls.world.command(2, .end(CallID(.line(.direct), 1)))
        transfers.calls.world.run(.seconds(1))
        #expect(transfers.calls.world.ends(0, transfers.asked) == [.hungUpThere])
        #expect(transfers.calls.world.transfers(0).last == .event(.transferred(transfers.aliceLeg, succeeded: true)))
        #expect(transfers.calls.world.agreed(1, transfers.followed) != nil)
    }

    @Test("an attended transfer succeeds although any one datagram is lost", arguments: 1...16)
    func attendedTransferSucceedsAlthoughAnyOneDatagramIsLost(number: Int) {
        var transfers = Transfers()
        transfers.consult()
        transfers.calls.world.losing = [transfers.calls.world.sent + number]
        transfers.calls.world.command(0, .connect(transfers.aliceLeg, transfers.asked))
        transfers.follow()
        transfers.calls.world.command(
            2, .answer(CallID(.line(.direct), 2), MediaEndpoint(port: 7_100), awaitingACK: false))
        transfers.calls.world.command(2, .end(CallID(.line(.direct), 1)))
        transfers.calls.world.run(.seconds(40))
        #expect(
            transfers.calls.world.transfers(0) == [
                .event(.transferSettled(transfers.aliceLeg, accepted: true)),
                .event(.transferred(transfers.aliceLeg, succeeded: true)),
            ])
        #expect(transfers.calls.world.agreed(1, transfers.followed) != nil)
        #expect(transfers.calls.world.ends(0, transfers.asked) == [.hungUpThere])
    }

    @Test("on a bad network every transfer has one outcome and leaves nothing behind", arguments: 0..<40)
    func badWeather(seed: UInt64) {
        var transfers = Transfers(
            seed: seed, weather: .init(lossPercent: 20, duplicatePercent: 20, delayMilliseconds: 400))
        transfers.refer()
        transfers.calls.world.command(
            2, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 7_000), awaitingACK: false))
        transfers.calls.world.run(.seconds(400))
        let told = transfers.calls.world.transfers(0)
        #expect(told.count == 2 || transfers.calls.world.ends(0, transfers.aliceLeg).count == 1, "seed \(seed)")
        transfers.calls.world.command(0, .end(transfers.aliceLeg))
        transfers.calls.world.command(1, .end(transfers.bobLeg))
        transfers.calls.world.command(1, .end(transfers.followed))
        transfers.calls.world.command(2, .end(CallID(.line(.direct), 1)))
        transfers.calls.world.run(.seconds(200))
        #expect(transfers.calls.world.lines.allSatisfy { $0.deadline == nil }, "seed \(seed)")
    }

    @Test("a hang-up right after the transfer still transfers")
    func hangUpRightAfterTransferStillTransfers() {
        var transfers = Transfers()
        transfers.calls.world.command(0, .transfer(transfers.aliceLeg, to: Transfers.carol))
        transfers.calls.world.run(.milliseconds(100))
        transfers.calls.world.command(0, .end(transfers.aliceLeg))
        transfers.calls.world.run(.seconds(1))
        #expect(transfers.calls.world.ends(1, transfers.bobLeg) == [.hungUpThere])
        transfers.follow()
        #expect(transfers.calls.world.offeredLegs(2).count == 1)
    }

    @Test("an impossible transfer is refused at once")
    func impossibleTransferIsRefusedAtOnce() {
        var transfers = Transfers()
        let (alice, refused) = (
            transfers.aliceLeg, LineOutput.event(.transferSettled(transfers.aliceLeg, accepted: false))
        )
        transfers.calls.world.command(0, .transfer(alice, to: "http://x"))
        transfers.calls.world.command(0, .connect(alice, alice))
        transfers.calls.world.command(0, .connect(alice, CallID(.phone, 9)))
        #expect(transfers.calls.world.transfers(0) == [refused, refused, refused])
        transfers.calls.world.command(0, .transfer(alice, to: Transfers.carol))
        transfers.calls.world.command(0, .transfer(alice, to: Transfers.carol))
        #expect(transfers.calls.world.transfers(0) == [refused, refused, refused, refused], "one at a time")
    }
}
