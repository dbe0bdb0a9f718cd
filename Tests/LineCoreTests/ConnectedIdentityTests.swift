import Base
import LineCore
import SIPCore
import Testing

/// The account's server names a new far end: after a transfer, a pick-up, or an answer by a group.
@Suite("Connected identity")
struct ConnectedIdentityTests {
    private static let party = SIPHeaderName("Remote-Party-ID")
    private static let privacy = SIPHeaderName("Privacy")
    private let server = Stranger(World.serverEndpoint)
    private let incoming = CallID(.line(.direct), 1)
    private let outgoing = CallID(.phone, 1)

    private func shown(_ world: World) -> [LineOutput] {
        world.outputs(0).filter { if case .event(.displayUpdated) = $0 { true } else { false } }
    }

    /// An active call from 200, for which the server vouches.
    private func called(
        _ extra: [(SIPHeaderName, String)] = [(.pAssertedIdentity, "\"Reception\" <sip:200@server.example>")]
    ) throws -> (world: World, tag: String) {
        var world = World.registered()
        world.receive(server.request(.invite, body: Stranger.body, extra: extra).bytes, from: server)
        world.command(0, .answer(incoming, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = try #require(world.tagAtServer)
        world.receive(server.request(.ack, branch: "z9hG4bK-ack", toTag: tag).bytes, from: server)
        return (world, tag)
    }

    private func request(
        _ method: SIPMethod, _ tag: String, _ extra: [(SIPHeaderName, String)], sequence: UInt32 = 11,
        from peer: Stranger? = nil
    ) -> [UInt8] {
        (peer ?? server).request(
            method, sequence: sequence, branch: "z9hG4bK-\(method)\(sequence)", toTag: tag,
            body: method == .invite ? Stranger.body : "", extra: extra
        ).bytes
    }

    @Test(
        "an UPDATE and a re-INVITE name another party, by either header",
        arguments: [SIPMethod.update, .invite],
        [
            (SIPHeaderName.pAssertedIdentity, "\"Mallory\" <sip:666@server.example>"),
            (party, "\"Mallory\" <sip:666@server.example>;party=calling;screen=yes"),
            (party, "\"Mallory\" <sip:666@server.example>;party=called;screen=yes"),
        ])
    func updateAndReINVITENameAnotherPartyByEitherHeader(method: SIPMethod, header: (SIPHeaderName, String)) throws {
        var (world, tag) = try called()
        world.receive(request(method, tag, [header]), from: server)
        #expect(world.heardStatuses.last == 200)
        let vouched = AssertedNumber("666")
        #expect(
            shown(world)
                == [.event(.displayUpdated(incoming, name: "Mallory", number: "666", standing: .vouched(vouched)))])
        world.receive(request(.update, tag, [header], sequence: 12), from: server)
        #expect(shown(world).count == 1, "the same again is no news")
    }

    @Test("a new party is reported while the phone rings, too")
    func newPartyIsReportedWhilePhoneRingsToo() throws {
        var world = World.registered()
        world.receive(server.invite(asserting: "<sip:200@server.example>").bytes, from: server)
        world.command(0, .alert(incoming))
        world.run(.milliseconds(100))
        let tag = try #require(world.tagAtServer)
        world.receive(
            request(.update, tag, [(.pAssertedIdentity, "<sip:201@server.example>")]), from: server)
        #expect(
            shown(world)
                == [
                    .event(
                        .displayUpdated(incoming, name: nil, number: "201", standing: .vouched(AssertedNumber("201"))))
                ])
    }

    @Test("only the account's own server may name another party")
    func onlyAccountOwnServerMayNameAnotherParty() throws {
        var (world, tag) = try called()
        let identity = [(SIPHeaderName.pAssertedIdentity, "<sip:666@server.example>")]
        for peer in [Stranger(), Stranger(World.beside)] {
            world.receive(request(.update, tag, identity, from: peer), from: peer)
            world.receive(request(.invite, tag, identity, sequence: 12, from: peer), from: peer)
        }
        #expect(shown(world).isEmpty)
        var (direct, own) = try World.called(by: Stranger())
        direct.receive(request(.update, own, identity, from: Stranger()), from: Stranger())
        #expect(direct.caughtStatuses.last == 200 && shown(direct).isEmpty, "a direct call has no server")
    }

    @Test("a withheld identity replaces the former one")
    func withheldIdentityReplacesFormerOne() throws {
        for extra in [
            [(SIPHeaderName.pAssertedIdentity, "<sip:666@server.example>"), (Self.privacy, "id")],
            [(Self.privacy, "id")],
            [(Self.party, "<sip:666@server.example>;privacy=full")],
            [(.from, "\"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=stranger")],
        ] {
            var (world, tag) = try called()
            world.receive(request(.update, tag, extra), from: server)
            #expect(
                shown(world)
                    == [.event(.displayUpdated(incoming, name: nil, number: "anonymous", standing: .withheld))])
        }
    }

    @Test("the party after an anonymous caller is shown, although From stays")
    func partyAfterAnonymousCallerIsShownAlthoughFromStays() throws {
        let from = (SIPHeaderName.from, "<sip:anonymous@anonymous.invalid>;tag=stranger")
        var (world, tag) = try called([from])
        world.receive(request(.update, tag, [from, (.pAssertedIdentity, "<sip:201@server.example>")]), from: server)
        #expect(
            shown(world)
                == [
                    .event(
                        .displayUpdated(incoming, name: nil, number: "201", standing: .vouched(AssertedNumber("201"))))
                ])
        world.receive(request(.update, tag, [from], sequence: 12), from: server)
        #expect(shown(world).count == 1)
    }

    @Test("From changes only what From set, and only lowers the trust in what the server set")
    func fromChangesOnlyWhatFromSet() throws {
        let from = (SIPHeaderName.from, "\"Police\" <sip:110@server.example>;tag=stranger")
        var (world, tag) = try called([])
        world.receive(request(.update, tag, [from]), from: server)
        #expect(shown(world) == [.event(.displayUpdated(incoming, name: "Police", number: "110"))])
        (world, tag) = try called()
        world.receive(request(.update, tag, [from]), from: server)
        #expect(shown(world) == [.event(.displayUpdated(incoming, name: nil, number: nil, standing: .doubted))])
        world.receive(
            request(.update, tag, [(.from, "\"Other\" <sip:mallory@192.0.2.100>;tag=stranger")], sequence: 12),
            from: server)
        #expect(shown(world).count == 1, "another name of the same address")
    }

    @Test("the same number in another domain is another party")
    func sameNumberInAnotherDomainIsAnotherParty() throws {
        var (world, tag) = try called()
        world.receive(request(.update, tag, [(.pAssertedIdentity, "<sip:200@trunk.example>")]), from: server)
        let vouched = AssertedNumber("200", domain: "trunk.example")
        #expect(
            shown(world) == [.event(.displayUpdated(incoming, name: nil, number: "200", standing: .vouched(vouched)))])
    }

    // MARK: Dialled calls

    /// A call to 653 whose INVITE the server has.
    private func calling() throws -> (world: World, invite: SIPRequest) {
        var world = World.registered()
        // From here on the server sends no challenges and no automatic responses.
        world.server?.isSilent = true
        world.command(0, .dial(outgoing, target: "653", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        return (world, try #require(world.requests(.invite).last?.request))
    }

    @Test("responses of a ringing and an answering phone name it")
    func responsesOfRingingAndAnsweringPhoneNameIt() throws {
        var (world, invite) = try calling()
        var ringing = server.progress(to: invite, tag: "one")
        ringing.headers[.pAssertedIdentity] = "\"Group\" <sip:653@server.example>"
        world.receive(ringing.bytes, from: server)
        var answer = server.success(to: invite, tag: "one", body: Stranger.answer)
        answer.headers[Self.party] = "\"User 102\" <sip:102@server.example>;party=called;screen=yes"
        world.receive(answer.bytes, from: server)
        #expect(
            shown(world) == [
                .event(
                    .displayUpdated(outgoing, name: "Group", number: "653", standing: .vouched(AssertedNumber("653")))),
                .event(
                    .displayUpdated(
                        outgoing, name: "User 102", number: "102", standing: .vouched(AssertedNumber("102")))),
            ])
        #expect(world.agreed(0, outgoing) != nil)
        // A late answer of another phone does not name the current far end.
        var late = server.success(to: invite, tag: "two", body: Stranger.answer)
        late.headers[.pAssertedIdentity] = "<sip:103@server.example>"
        world.receive(late.bytes, from: server)
        #expect(shown(world).count == 2)
    }

    @Test("FreeSWITCH's header with the caller's own number or no name is understood")
    func freeSWITCHHeaderWithCallerOwnNumberOrNoNameIsUnderstood() throws {
        for (name, shownName) in [("User 102", "User 102"), ("Outbound Call", nil), ("102", nil)] as [(String, String?)]
        {
            var (world, invite) = try calling()
            var answer = server.success(to: invite, tag: "one", body: Stranger.answer)
            answer.headers[Self.party] = "\"\(name)\" <sip:102@server.example>;party=calling;privacy=off;screen=no"
            world.receive(answer.bytes, from: server)
            #expect(shown(world) == [.event(.displayUpdated(outgoing, name: shownName, number: "102"))])
        }
    }

    @Test("the name of a phone that only rang is not used for the phone that answers")
    func nameOfPhoneThatOnlyRangIsNotUsedForPhoneThatAnswers() throws {
        var (world, invite) = try calling()
        var ringing = server.progress(to: invite, tag: "one")
        ringing.headers[.pAssertedIdentity] = "\"User 102\" <sip:102@server.example>"
        world.receive(ringing.bytes, from: server)
        world.receive(server.success(to: invite, tag: "two", body: Stranger.answer).bytes, from: server)
        #expect(shown(world).last == .event(.displayUpdated(outgoing, name: nil, number: "653")))
    }

    @Test("a response that names this account changes nothing")
    func responseThatNamesThisAccountChangesNothing() throws {
        var (world, invite) = try calling()
        var answer = server.success(to: invite, tag: "one", body: Stranger.answer)
        answer.headers[Self.party] = "<sip:alice@server.example>;party=calling;screen=yes"
        world.receive(answer.bytes, from: server)
        #expect(shown(world).isEmpty)
    }

    @Test("the answer to a hold may name another party")
    func answerToHoldMayNameAnotherParty() throws {
        var (world, _) = try called()
        world.server?.isSilent = true
        world.command(0, .hold(incoming, true))
        world.run(.milliseconds(100))
        let hold = try #require(world.requests(.invite).last?.request)
        var answer = server.success(to: hold, tag: "stranger", body: Stranger.answer + "a=recvonly\r\n")
        answer.headers[.pAssertedIdentity] = "<sip:201@server.example>"
        world.receive(answer.bytes, from: server)
        #expect(
            shown(world)
                == [
                    .event(
                        .displayUpdated(incoming, name: nil, number: "201", standing: .vouched(AssertedNumber("201"))))
                ])
    }
}

extension World {
    /// The responses that the server got.
    fileprivate var responsesAtServer: [SIPResponse] {
        heard.compactMap {
            if case .response(let response)? = try? SIPMessage($0.span) { response } else { nil }
        }
    }
    fileprivate var heardStatuses: [Int] { responsesAtServer.map(\.status.code) }
    fileprivate var tagAtServer: String? {
        responsesAtServer.lazy.compactMap { $0.status == .trying ? nil : try? $0.headers.to.tag }.first
    }
}
