import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Forked calls")
struct EarlyDialogTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    private func answer(_ port: Int) -> String { Stranger.answer.replacing("audio 7000", with: "audio \(port)") }

    private func ring(_ world: inout World, _ invite: SIPRequest, _ tag: String, _ number: UInt32, _ port: Int) {
        var progress = stranger.progress(.sessionProgress, to: invite, tag: tag, number: number, body: answer(port))
        progress.headers[.recordRoute] = "<sip:\(tag).proxy@203.0.113.9;lr>"
        world.receive(progress.bytes, from: stranger)
        if let prack = world.caughtRequests.last { world.receive(prack.response(.ok).bytes, from: stranger) }
    }

    @Test("each early dialog has its own route and numbers; its early media is reported, the last one last")
    func eachEarlyDialogHasItsOwnRouteAndNumbers() throws {
        var (world, invite) = try World.callingStranger()
        ring(&world, invite, "one", 10, 7_001)
        ring(&world, invite, "two", 20, 7_002)
        ring(&world, invite, "one", 11, 7_009)
        let pracks = world.caughtRequests.filter { $0.method == .prack }
        #expect(
            pracks.compactMap { $0.headers[.route] }
                == ["one", "two", "one"].map { "<sip:\($0).proxy@203.0.113.9;lr>" })
        #expect(try pracks.map { try $0.headers.cSeq.number - invite.headers.cSeq.number } == [1, 1, 2])
        #expect(world.earlyMedia(0, leg).map(\.remote.port) == [7_001, 7_002], "answered is answered")
        // An update of the first dialog makes it the newest.
        let update = stranger.request(.update, in: invite, tag: "one", sequence: 1, body: Stranger.body)
        world.receive(update.bytes, from: stranger)
        #expect(world.earlyMedia(0, leg).map(\.remote.port) == [7_001, 7_002, 7_000])
    }

    @Test("a changed preview is reported again, a repeated one is not")
    func changedPreviewIsReportedAgainRepeatedOneIsNot() throws {
        var (world, invite) = try World.callingStranger()
        for (tag, port) in [("one", 7_001), ("two", 7_002), ("one", 7_001), ("one", 7_003)] {
            let progress = stranger.progress(.sessionProgress, to: invite, tag: tag, body: answer(port))
            world.receive(progress.bytes, from: stranger)
        }
        #expect(world.earlyMedia(0, leg).map(\.remote.port) == [7_001, 7_002, 7_003])
        world.receive(stranger.success(to: invite, tag: "two").bytes, from: stranger)
        #expect(world.agreed(0, leg)?.remote.port == 7_002)
    }

    @Test("the first answer wins on the terms of its own dialog; another one is hung up")
    func firstAnswerWinsOnTermsOfItsOwnDialogAnotherOneIsHungUp() throws {
        var (world, invite) = try World.callingStranger()
        ring(&world, invite, "one", 10, 7_001)
        ring(&world, invite, "two", 20, 7_002)
        ring(&world, invite, "two", 21, 7_002)
        world.receive(stranger.success(to: invite, tag: "one").bytes, from: stranger)
        world.receive(stranger.success(to: invite, tag: "two").bytes, from: stranger)
        world.receive(stranger.success(to: invite, tag: "three", body: Stranger.answer).bytes, from: stranger)
        #expect(world.agreed(0, leg)?.remote.port == 7_001)
        let acks = world.caughtRequests.filter { $0.method == .ack }.compactMap { try? $0.headers.to.tag }
        #expect(acks == ["one", "two", "three"])
        let byes = world.caughtRequests.filter { $0.method == .bye }
        #expect(byes.compactMap { try? $0.headers.to.tag } == ["two", "three"])
        #expect(byes.allSatisfy { $0.headers[.reason]?.hasPrefix("SIP;cause=200") == true })
        #expect(try byes[0].headers.cSeq.number > invite.headers.cSeq.number + 2, "behind its PRACKs")
        #expect(world.ends(0, leg).isEmpty)
        // The other dialogs are over.
        let update = stranger.request(.update, in: invite, tag: "two", sequence: 1)
        world.receive(update.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 481)
    }

    @Test("an answer that crosses CANCEL gets a BYE with a number above those of the PRACKs")
    func answerThatCrossesCANCELGetsBYEWithNumberAboveThoseOfPRACKs() throws {
        var (world, invite) = try World.callingStranger()
        ring(&world, invite, "one", 10, 7_001)
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        let cancel = try #require(world.caughtRequests.last)
        #expect(cancel.method == .cancel && cancel.headers[.reason]?.hasPrefix("Q.850;cause=16") == true)
        world.receive(stranger.success(to: invite, tag: "one").bytes, from: stranger)
        let bye = try #require(world.caughtRequests.last)
        #expect(bye.method == .bye && bye.headers[.reason]?.hasPrefix("Q.850;cause=16") == true)
        #expect(try bye.headers.cSeq.number > invite.headers.cSeq.number + 1)
    }

    @Test("a ringing far end may send neither BYE nor INVITE")
    func ringingFarEndMaySendNeitherBYENorINVITE() throws {
        var (world, invite) = try World.callingStranger()
        ring(&world, invite, "one", 10, 7_001)
        world.receive(stranger.request(.bye, in: invite, tag: "one", sequence: 1).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 481)
        world.receive(
            stranger.request(.invite, in: invite, tag: "one", sequence: 2, body: Stranger.body).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 491)
        world.receive(stranger.request(.options, in: invite, tag: "one", sequence: 3).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200)
        #expect(world.ends(0, leg).isEmpty)
    }

    @Test("more than sixteen early dialogs ring unheard")
    func moreThanSixteenEarlyDialogsRingUnheard() throws {
        var (world, invite) = try World.callingStranger()
        for number in 1...20 {
            let progress = stranger.progress(
                .sessionProgress, to: invite, tag: "t\(number)", body: answer(7_000 + number))
            world.receive(progress.bytes, from: stranger)
        }
        #expect(world.earlyMedia(0, leg).count == 16)
        world.receive(stranger.success(to: invite, tag: "t20", body: answer(7_020)).bytes, from: stranger)
        #expect(world.agreed(0, leg)?.remote.port == 7_020)
    }
}
