import Base
import LineCore
import SIPCore
import Testing

@Suite("Extensions and end reasons of a line")
struct ExtensionTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    /// A call of the stranger, answered and acknowledged.
    private func connected() throws -> World { try World.called(by: stranger).world }

    @Test(
        "an unknown required extension is refused by name, in a call and outside",
        arguments: [
            SIPMethod.options, .invite, .update, .info, .notify, .message, .prack, .refer, SIPMethod("DANCE"),
        ])
    func unknownRequiredExtensionIsRefusedByNameInCallAndOutside(_ method: SIPMethod) throws {
        var world = try connected()
        let extra: [(SIPHeaderName, String)] = [(.require, "timer, Magic, 100rel, dance")]
        for tag in [world.tagForStranger, nil] {
            let request = stranger.request(
                method, sequence: 20, branch: "z9hG4bK-\(tag ?? "")", toTag: tag,
                body: method == .invite ? Stranger.body : "", extra: extra)
            world.receive(request.bytes, from: stranger)
            let response = try #require(world.caughtResponses.last)
            #expect(response.status == .badExtension)
            #expect(try response.headers.tokens(.unsupported) == ["Magic", "dance"])
        }
        #expect(world.ends(0, leg).isEmpty && world.offeredLegs(0).count == 1)
    }

    @Test("OPTIONS lists what works, in a call and outside")
    func optionsListsWhatWorksInCallAndOutside() throws {
        var world = try connected()
        for tag in [world.tagForStranger, nil] {
            let request = stranger.request(.options, sequence: 11, branch: "z9hG4bK-o\(tag ?? "")", toTag: tag)
            world.receive(request.bytes, from: stranger)
            let response = try #require(world.caughtResponses.last)
            #expect(response.status == .ok)
            #expect(
                try response.headers.tokens(.supported) == ["100rel", "timer", "replaces", "norefersub", "tdialog"])
            let allowed = try response.headers.tokens(.allow)
            #expect(allowed.contains("PRACK") && allowed.contains("UPDATE") && !allowed.contains("REGISTER"))
        }
    }

    @Test("PRACK and UPDATE without a dialog match nothing", arguments: [SIPMethod.prack, .update])
    func prackAndUPDATEWithoutDialogMatchNothing(_ method: SIPMethod) {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.request(method).bytes, from: stranger)
        world.receive(stranger.request(method, branch: "z9hG4bK-2", toTag: "x").bytes, from: stranger)
        #expect(world.caughtStatuses == [481, 481])
    }

    @Test(
        "a refusal has a Q.850 cause",
        arguments: [(CallRejection.busy, 17), (.declined, 21), (.noAnswer, 19), (.unavailable, 20)])
    func refusalHasQ850Cause(_ refusal: CallRejection, _ cause: Int) throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .refuse(leg, refusal))
        world.run(.milliseconds(100))
        #expect(
            try world.caughtResponses.last?.headers.reasons.map { "\($0.protocol) \($0.cause ?? 0)" } == [
                "Q.850 \(cause)"
            ])
    }

    @Test("a BYE has a Reason")
    func byeHasReason() throws {
        for (command, cause) in [(LineCommand.end(leg), 16), (.shutDown, 16)] {
            var world = try connected()
            world.command(0, command)
            world.run(.milliseconds(100))
            let bye = try #require(world.caughtRequests.last)
            #expect(bye.method == .bye)
            #expect(try bye.headers.reasons.map(\.cause) == [cause])
        }
    }

    @Test(
        "the ACK of a 2xx has the INVITE's credentials only on the INVITE's route", arguments: [true, false])
    func ackOf2xxHasINVITECredentialsOnlyOnINVITERoute(isStraight: Bool) throws {
        var world = World()
        world.server = TestServer()
        if isStraight { world.server?.contact = stranger.endpoint }
        world.add(RegistrationTests.account())
        world.run(.seconds(1))
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        let invite = try #require(world.requests(.invite).last?.request)
        let ack = try #require(
            world.requests(.ack).last {
                $0.request.headers[.cSeq] == "\((try? invite.headers.cSeq.number) ?? 0) ACK"
                    && $0.request.uri.sip?.user == "echo"
            }?.request)
        #expect(invite.headers.contains(.proxyAuthorization))
        #expect(ack.headers[.proxyAuthorization] == (isStraight ? nil : invite.headers[.proxyAuthorization]))
        #expect(!ack.headers.contains(.authorization))
    }
}
