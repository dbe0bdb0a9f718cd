import Base
import SDPCore
import Testing

@Suite("Offer and answer")
struct OfferAnswerTests {
    @Test("both ends get mirrored terms")
    func bothEndsGetMirroredTerms() throws {
        var ends = Ends(.init(packetMilliseconds: 10, maximumBitrate: 32_000), .init(opusPayloadType: 110))
        let (caller, called) = try ends.negotiate()
        #expect(caller.remote == MediaAddress(host: "192.0.2.2", port: 5000))
        #expect(called.remote == MediaAddress(host: "192.0.2.1", port: 4000))
        #expect(caller.remoteControl == nil && called.remoteControl == nil)
        // The answerer takes over the offer's payload types.
        #expect([caller.codec.sendPayloadType, caller.codec.receivePayloadType] == [96, 96])
        #expect([called.codec.sendPayloadType, called.codec.receivePayloadType] == [96, 96])
        #expect(caller.telephoneEvents?.clockRate == 48_000 && caller.telephoneEvents?.sendPayloadType == 97)
        #expect(called.codec.maximumBitrate == 32_000 && called.codec.farEndUsesFEC)
        // The called end sends the requested packet length, and announces it.
        #expect(caller.codec.packetMilliseconds == 10 && called.codec.packetMilliseconds == 10)
        #expect(caller.direction == .sendrecv && called.direction == .sendrecv)
        #expect(ends.held == [false, false])
        let mine = try #require(caller.sdes)
        let theirs = try #require(called.sdes)
        #expect(mine.suite == .aes128Tag80 && theirs.suite == .aes128Tag80)
        #expect(mine.sendKey == theirs.receiveKey && mine.receiveKey == theirs.sendKey)
        #expect(mine.sendKey != mine.receiveKey && mine.sendKey.count == 30)
    }

    @Test("hold and resume from either side keep keys, payload types and order, and raise the version by one")
    func holdAndResumeFromEitherSideKeepKeysPayloadTypesAndOrder() throws {
        var ends = Ends()
        let first = try ends.negotiate()
        let held = try ends.negotiate(callerHolds: true)
        #expect(held.caller.direction == .sendonly && held.called.direction == .recvonly)
        #expect(ends.held == [false, true])
        #expect(held.caller.protection == first.caller.protection)
        #expect(held.caller.codec.receivePayloadType == first.caller.codec.receivePayloadType)
        // The held end holds too: nothing flows, and each knows the other's hold.
        let both = try ends.negotiateBack(calledHolds: true, callerHolds: true)
        #expect(both.called.direction == .inactive && both.caller.direction == .inactive)
        _ = try ends.negotiate(calledHolds: true)
        #expect(ends.held[0] == true)
        _ = try ends.negotiateBack(calledHolds: false)
        #expect(ends.held[0] == false)
        let last = try ends.negotiate()
        #expect(last == first)
    }

    @Test("an offer has its sender's own direction, whatever the far end's hold is", arguments: [false, true])
    func offerHasItsSenderOwnDirectionWhateverFarEndHoldIs(isAsked: Bool) throws {
        var ends = Ends()
        _ = try ends.negotiate()
        let held = try ends.negotiate(callerHolds: true)
        #expect(ends.held[1] == true && held.called.direction == .recvonly)
        let offer = ends.called.offer(held: false, isOpen: isAsked, using: &ends.generator)
        #expect(offer.media[0].hasFlag("sendrecv"))
        // The far end still holds us.
        let answer = try ends.caller.answer(to: offer, held: true, using: &ends.generator).description
        let agreed = try ends.called.conclude(answer)
        #expect(agreed.heldByFarEnd && !agreed.media.sends)
        // A refresh, and our hold.
        let refresh = ends.called.offerAgain(held: false)
        #expect(refresh == offer)
        ends.called.withdraw()
        #expect(ends.called.offer(held: true, using: &ends.generator).media[0].hasFlag("sendonly"))
    }

    @Test("a refresh while held has our direction, as a new version")
    func refreshWhileHeldHasOurDirectionAsNewVersion() throws {
        var ends = Ends()
        _ = try ends.negotiate()
        _ = try ends.negotiate(callerHolds: true)
        let said = try #require(ends.called.agreed)
        #expect(said.media.direction == .recvonly)
        let refresh = ends.called.offerAgain(held: false)
        #expect(refresh.media[0].hasFlag("sendrecv") && refresh.origin.version == 3)
    }

    @Test("an unchanged offer keeps its version; a changed one is one higher")
    func unchangedOfferKeepsItsVersionChangedOneIsOneHigher() throws {
        var ends = Ends()
        let first = ends.caller.offer(held: false, using: &ends.generator)
        ends.caller.withdraw()
        let again = ends.caller.offer(held: false, using: &ends.generator)
        #expect(again == first)
        let (answer, _) = try ends.called.answer(to: again, held: false, using: &ends.generator)
        _ = try ends.caller.conclude(answer)
        let hold = ends.caller.offer(held: true, using: &ends.generator)
        #expect(hold.origin.version == first.origin.version + 1)
        #expect(hold.origin.sessionID == first.origin.sessionID)
    }

    @Test("a failed offer keeps the old terms")
    func failedOfferKeepsOldTerms() throws {
        var ends = Ends()
        let agreed = try ends.negotiate().caller
        _ = ends.caller.offer(held: true, using: &ends.generator)
        #expect(ends.caller.isOffering && ends.caller.agreed?.media == agreed)
        ends.caller.withdraw()
        #expect(!ends.caller.isOffering && ends.caller.agreed?.media == agreed)
    }

    @Test("a refresh repeats the same text and version, from either end")
    func refreshRepeatsSameTextAndVersionFromEitherEnd() throws {
        var ends = Ends()
        let first = ends.caller.offer(held: false, using: &ends.generator)
        let answer = try ends.called.answer(to: first, held: false, using: &ends.generator)
        let agreed = try ends.caller.conclude(answer.description)
        let again = ends.caller.offerAgain(held: false)
        #expect(again == first)
        let second = try ends.called.answer(to: again, held: false, using: &ends.generator)
        #expect(second.description == answer.description && second.agreed == answer.agreed)
        let unchanged = try ends.caller.conclude(second.description)
        #expect(unchanged == agreed)
        let back = ends.called.offerAgain(held: false)
        #expect(back == answer.description)
        ends.called.withdraw()
        // A rejected change was sent, too: the current terms are a new version after it.
        let hold = ends.caller.offer(held: true, using: &ends.generator)
        ends.caller.withdraw()
        let after = ends.caller.offerAgain(held: false)
        #expect(after.media == first.media && after.origin.version == hold.origin.version + 1)
    }

    @Test("video and a second audio line are rejected in place, and stay in our own offers")
    func videoAndSecondAudioLineAreRejectedInPlace() throws {
        var ends = Ends()
        let offer = try Ends.description(
            "m=video 6000 RTP/SAVP 99\r\na=rtpmap:99 VP8/90000\r\nm=audio 7000 RTP/SAVP 3 111 0\r\n" + Ends.opus
                + Ends.key + "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n")
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(answer.media.map(\.kind) == ["video", "audio", "application"])
        #expect(answer.media.map(\.port) == [0, 5000, 0])
        #expect(answer.media[1].formats == ["111"])
        #expect(agreed.media.sdes?.suite == .aes128Tag80)
        #expect(agreed.media.remoteControl == MediaAddress(host: "198.51.100.7", port: 7001))
        let hold = ends.called.offer(held: true, using: &ends.generator)
        #expect(hold.media.map(\.port) == [0, 5000, 0])
        #expect(hold.media[1].values(of: "crypto").count == 1)
        #expect(hold.media[1].hasFlag("sendonly") && !hold.media[1].hasFlag("rtcp-mux"))
    }

    @Test("of two audio lines the protected one is chosen")
    func ofTwoAudioLinesProtectedOneIsChosen() throws {
        var ends = Ends(.init(), .init(protection: .offered))
        let offer = try Ends.description(
            "m=audio 7000 RTP/AVP 111\r\n" + Ends.opus + "m=audio 7002 RTP/SAVP 111\r\n" + Ends.opus + Ends.key)
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(answer.media.map(\.port) == [0, 5000] && agreed.media.protection != nil)
    }

    @Test("0.0.0.0 holds us, and voice returns to its old address afterwards")
    func holdByAddress() throws {
        var ends = Ends()
        let line = "m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus + Ends.key
        let (_, before) = try ends.called.answer(to: Ends.description(line), held: false, using: &ends.generator)
        let (answer, held) = try ends.called.answer(
            to: Ends.description(line, host: "0.0.0.0"), held: false, using: &ends.generator)
        #expect(held.heldByFarEnd && !held.media.sends && held.media.remote == before.media.remote)
        #expect(answer.media[0].hasFlag("recvonly"))
    }

    @Test("an answer has the length of sent packets", arguments: [10, 20, 40, 60])
    func answerHasLengthOfSentPackets(own: Int) throws {
        for (asked, sent) in [("a=ptime:20\r\n", 20), ("a=ptime:60\r\na=maxptime:40\r\n", 40), ("", own)] {
            var ends = Ends(.init(), .init(packetMilliseconds: own, protection: .off))
            let offer = try Ends.description("m=audio 7000 RTP/AVP 0\r\n" + asked)
            let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
            #expect(agreed.media.codec.packetMilliseconds == sent)
            #expect(answer.media[0].values(of: "ptime") == ["\(sent)"])
            // Our later offer, such as a hold, does not change it.
            #expect(ends.called.offer(held: true, using: &ends.generator).media[0].values(of: "ptime") == ["\(sent)"])
        }
    }

    @Test("telephone events fall back to the narrow clock; a=rtcp sets the control address; session attributes count")
    func telephoneEventsFallBackToNarrowClockRtcpSetsControlAddress() throws {
        var ends = Ends(.init(), .init(protection: .off))
        let offer = try Ends.description(
            "a=inactive\r\nm=audio 7000 RTP/AVP 111 101\r\n" + Ends.opus
                + "a=rtpmap:101 telephone-event/8000\r\na=rtcp:9001 IN IP4 198.51.100.8\r\n"
                + "a=ptime:30\r\na=maxptime:15\r\n"
        )
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(
            agreed.media.telephoneEvents?.clockRate == 8_000 && agreed.media.telephoneEvents?.sendPayloadType == 101)
        #expect(agreed.media.remoteControl == MediaAddress(host: "198.51.100.8", port: 9001))
        #expect(agreed.media.direction == .inactive && answer.media[0].hasFlag("inactive"))
        #expect(agreed.media.codec.packetMilliseconds == 10)
        #expect(agreed.media.protection == nil && answer.media[0].values(of: "crypto").isEmpty)
    }
}
