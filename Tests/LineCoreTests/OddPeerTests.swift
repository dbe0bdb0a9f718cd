import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// Far ends and servers that leave out or misspell what the phone does not need.
@Suite("Odd peers")
struct OddPeerTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)
    private let own = CallID(.phone, 1)

    private func world() -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        return world
    }

    @Test(
        "an offer is found by its content, whatever its type says",
        arguments: [
            nil, "application/SDP", "Application/sdp ; charset=utf-8", "application/sdp;", "application/sdp; charset=",
        ] as [String?])
    func offerIsFoundWhateverItsTypeSays(_ type: String?) throws {
        var world = world()
        var invite = stranger.invite()
        invite.headers[.contentType] = type
        world.receive(invite.bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(world.agreed(0, leg)?.codec.name == .opus)
    }

    /// A Contact is mandatory (RFC 3261 §8.1.1.8), but the caller's address in From may serve.
    @Test("a call without a Contact is answered")
    func callWithoutContactIsAnswered() throws {
        var world = world()
        var invite = stranger.invite()
        invite.headers[.contact] = nil
        world.receive(invite.bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(world.agreed(0, leg) != nil)
        world.command(0, .end(leg))
        let tag = try #require(world.tagForStranger)
        world.receive(stranger.request(.ack, branch: "z9hG4bK-a", toTag: tag).bytes, from: stranger)
        #expect(world.caughtRequests.last?.method == .bye)
    }

    @Test(
        "headers with odd values do not refuse a call",
        arguments: [
            ("Require", ""), ("Require", " , "), ("Supported", "timer,,100rel;x"), ("Allow", "INVITE ACK BYE"),
            ("Session-Expires", "1800;refresher=uas;"), ("Min-SE", "90;"), ("Accept", "application/sdp;"),
            ("Accept", ""),
            ("Content-Disposition", "session;handling=required;"), ("Content-Disposition", "session;handling"),
            ("Content-Encoding", "identity"), ("Content-Language", "en"), ("Privacy", "none"), ("Answer-Mode", "Auto;"),
            ("Date", "now"), ("Timestamp", "x"), ("MIME-Version", "1.1"),
            ("P-Asserted-Identity", "x"),
            ("Diversion", "<sip:x"), ("History-Info", "<>"), ("Alert-Info", "<"), ("Call-Info", ";"),
            ("Accept-Language", "*"),
            ("In-Reply-To", ","), ("Organization", "\u{7F}"), ("Max-Forwards", "0"), ("Expires", "0"),
            ("Priority", "urgent now"),
        ])
    func headersWithOddValuesDoNotRefuseCall(_ name: String, _ value: String) throws {
        var world = world()
        var invite = stranger.invite()
        invite.headers[SIPHeaderName(name)] = value
        world.receive(invite.bytes, from: stranger)
        #expect(world.offeredLegs(0) == [leg], "\(world.caughtStatuses)")
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(world.agreed(0, leg) != nil)
    }

    @Test("an answer without a tag or a type makes a call")
    func answerWithoutTagOrTypeMakesCall() throws {
        for isTyped in [false, true] {
            var (world, invite) = try World.callingStranger()
            var ringing = invite.response(.ringing)
            ringing.headers[.to] = invite.headers[.to]
            world.receive(ringing.bytes, from: stranger)
            var success = stranger.success(to: invite, tag: "x", body: Stranger.answer)
            success.headers[.to] = isTyped ? invite.headers[.to] : success.headers[.to]
            if !isTyped { success.headers[.contentType] = nil }
            world.receive(success.bytes, from: stranger)
            #expect(world.outputs(0).contains(.event(.ringing(own))) && world.agreed(0, own) != nil)
            #expect(world.caughtRequests.last?.method == .ack)
            world.command(0, .end(own))
            world.run(.milliseconds(100))
            #expect(world.caughtRequests.last?.method == .bye)
        }
    }

    /// RFC 3261 §13.2.1: an answer in a reliable response or in 2xx counts; one in 180 is a preview of it.
    @Test("an answer only in an unreliable response counts, if the 2xx has none")
    func answerOnlyInUnreliableResponseCounts() throws {
        var (world, invite) = try World.callingStranger()
        world.receive(
            stranger.progress(.sessionProgress, to: invite, tag: "x", body: Stranger.answer).bytes, from: stranger)
        world.receive(stranger.success(to: invite, tag: "x").bytes, from: stranger)
        #expect(world.agreed(0, own) != nil && world.ends(0, own).isEmpty)
    }

    @Test("an answer with an odd body is still an answer")
    func multipartAnswerIsRead() throws {
        var (world, invite) = try World.callingStranger()
        var success = stranger.success(to: invite, tag: "x")
        success.headers[.contentType] = "multipart/mixed;boundary=b"
        success.body = Array(
            "--b\r\nContent-Type: application/isup;version=x\r\n\r\n\u{1}\u{2}\r\n--b\r\ncontent-type:application/sdp\r\n\r\n\(Stranger.answer)\r\n--b--"
                .utf8)
        world.receive(success.bytes, from: stranger)
        #expect(world.agreed(0, own) != nil)
    }

    @Test("a request in a call needs no Contact, and its rubbish is ignored")
    func requestInCallNeedsNoContact() throws {
        var (world, tag) = try World.called(by: stranger)
        var hold = stranger.request(
            .invite, sequence: 11, branch: "z9hG4bK-h", toTag: tag, body: Stranger.body + "a=sendonly \r\n")
        hold.headers[.contact] = nil
        hold.headers[SIPHeaderName("Session-Expires")] = "x"
        world.receive(hold.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200 && world.heldByFarEnd(0, leg).last == true)
        world.receive(stranger.request(.ack, sequence: 11, branch: "z9hG4bK-ha", toTag: tag).bytes, from: stranger)
        // A numbering that jumps or starts high is legal.
        world.receive(
            stranger.request(.options, sequence: 2_147_483_647, branch: "z9hG4bK-o", toTag: tag).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200)
    }

    @Test("a caller gives up by a CANCEL with another branch, and nothing rings on")
    func callerGivesUpByCANCELWithAnotherBranch() {
        for extra in [[], [(SIPHeaderName.to, "<sip:alice@192.0.2.1>;tag=x")], [(.contact, "")]] {
            var world = world()
            world.receive(stranger.invite().bytes, from: stranger)
            world.command(0, .alert(leg))
            world.receive(stranger.request(.cancel, branch: "z9hG4bK-other", extra: extra).bytes, from: stranger)
            #expect(world.ends(0, leg) == [.cancelledThere] && world.caughtStatuses.contains(487))
        }
        // Another sequence number, caller or call is another request.
        for (name, value) in [
            (SIPHeaderName.cSeq, "11 CANCEL"), (.from, "<sip:mallory@203.0.113.9>;tag=y"), (.callID, "other"),
        ] {
            var world = world()
            world.receive(stranger.invite().bytes, from: stranger)
            world.receive(stranger.request(.cancel, branch: "z9hG4bK-o", extra: [(name, value)]).bytes, from: stranger)
            #expect(world.ends(0, leg).isEmpty && world.caughtStatuses.last == 481)
        }
    }

    /// The far end finds its request by its Via, so the answer repeats it to the letter.
    @Test(
        "an answer repeats an odd Via",
        arguments: [
            "branch=z9hG4bK{8F};rport", "rport;branch=z9hG4bK{8F}", "branch=z9hG4bK<8>;rport;;x",
            "branch=z9hG4bK-1;rport=;i=\"a;b\"",
            "branch=z9hG4bK-1;RPORT;received=1.2.3.4",
        ])
    func answerRepeatsOddVia(_ parameters: String) throws {
        var world = world()
        var invite = stranger.invite()
        invite.headers[.via] =
            "SIP/2.0/UDP 203.0.113.9:5060;" + parameters + ", SIP/2.0/UDP [fe80::1%25eth0]:5060;branch=b"
        world.receive(invite.bytes, from: stranger)
        world.command(0, .alert(leg))
        world.run(.milliseconds(100))
        let via = try #require(world.caughtResponses.last?.headers[.via])
        for part in parameters.split(separator: ";") where part.hasPrefix("branch") || part.hasPrefix("i=") {
            #expect(via.contains(part))
        }
        #expect(via.contains(";rport=5060") && via.contains(";received=203.0.113.9"))
        #expect(via.hasSuffix(", SIP/2.0/UDP [fe80::1%25eth0]:5060;branch=b"))
    }

    // MARK: Digits by INFO

    private func info(_ body: String, _ type: String?) throws -> (status: Int?, digits: String) {
        var (world, tag) = try World.called(by: stranger)
        var request = stranger.request(.info, sequence: 11, branch: "z9hG4bK-i", toTag: tag, body: body)
        request.headers[.contentType] = type
        world.receive(request.bytes, from: stranger)
        let digits = world.outputs(0).compactMap {
            if case .event(.dtmfReceived(_, let symbol)) = $0 { symbol.character } else { nil }
        }
        return (world.caughtStatuses.last, String(digits))
    }

    @Test(
        "digits are read as devices write them",
        arguments: [
            ("application/dtmf-relay", "Signal=5\r\nDuration=160\r\n\0"), ("application/DTMF-Relay", "Signal = 5"),
            ("application/dtmf-relay", "Signal: 5\r\nDuration: 160"), ("application/dtmf-relay", "Signal=\"5\""),
            ("application/dtmf-relay", "Signal=5;Duration=160"), ("application/dtmf-relay", "Signal=5 Duration=160"),
            ("application/dtmf-relay", "5"), ("application/dtmf", "Signal=5\r\nDuration=160"),
            ("application/dtmf-relay;charset=UTF-8", "\r\nSignal=5\r\n\r\nDuration=160"),

            ("application/dtmf-relay", "Signal=5\rDuration=160\r"), ("application/dtmf-relay", "Signal=05"),
            ("application/dtmf-relay", "d=160\r\nsignal=5"), ("application/dtmf", "5\0"),
            (nil, "Signal=5\r\nDuration=160"),
        ] as [(String?, String)])
    func digitsAreReadAsDevicesWriteThem(_ type: String?, _ body: String) throws {
        let told = try info(body, type)
        #expect(told.status == 200 && told.digits == "5", "\(told)")
    }

    @Test(
        "names of keys are digits", arguments: [("star", "*"), ("Pound", "#"), ("hash", "#"), ("10", "*"), ("11", "#")])
    func namesOfKeysAreDigits(_ word: String, _ digit: String) throws {
        #expect(try info("Signal=\(word)\r\n", "application/dtmf-relay").digits == digit)
    }
}
