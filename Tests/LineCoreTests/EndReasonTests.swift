import Base
import LineCore
import SIPCore
import Testing

@Suite("Reason headers and end reasons")
struct EndReasonTests {
    private let stranger = Stranger()

    @Test(
        "a refusal's Reason says more than its status",
        arguments: [
            (480, "Q.850;cause=17", .busyThere), (503, "Q.850;cause=21;text=\"no\"", .declinedThere),
            (500, "Q.850;cause=19", .noAnswer), (500, "Q.850;cause=1", .rejected(404)),
            (502, "SIP;cause=486, Q.850;cause=21", .busyThere), (500, "Q.850;cause=88", .incompatible),
            (503, "Q.850;cause=34", .rejected(503)), (500, "rubbish;", .rejected(500)), (480, nil, .noAnswer),
            (404, "Q.850;cause=17", .rejected(404)), (486, "Q.850;cause=21", .busyThere),
            (603, "Q.850;cause=17", .declinedThere),
        ] as [(Int, String?, EndReason)])
    func refusalReasonSaysMoreThanItsStatus(_ status: Int, _ reason: String?, _ end: EndReason) throws {
        var (world, invite) = try World.callingStranger()
        var response = invite.response(SIPStatus(status), tag: "b")
        response.headers[.reason] = reason
        world.receive(response.bytes, from: stranger)
        #expect(world.ends(0, CallID(.phone, 1)) == [end])
    }

    @Test(
        "a BYE of the network is distinguished from a person's",
        arguments: [
            ("Q.850;cause=16", .hungUpThere), ("Q.850;cause=41", .unreachable), ("SIP;cause=503", .unreachable),
            ("SIP;cause=200", .hungUpThere), ("Q.850;cause=102;text=\"RTP timeout\"", .unreachable),
        ] as [(String, EndReason)])
    func byeOfNetworkIsDistinguishedFromPerson(_ reason: String, _ end: EndReason) throws {
        var (world, tag) = try World.called(by: stranger)
        let bye = stranger.request(
            .bye, sequence: 11, branch: "z9hG4bK-bye", toTag: tag, extra: [(.reason, reason)])
        world.receive(bye.bytes, from: stranger)
        #expect(world.ends(0, CallID(.line(.direct), 1)) == [end])
    }

    private static func reported(_ world: World) -> [ServerEnd] {
        world.outputs(0).compactMap { if case .event(.endTold(_, let told)) = $0 { told } else { nil } }
    }

    @Test(
        "the line reports the Reason of a rejection, else its status",
        arguments: [
            (486, nil, ServerEnd(cause: "SIP", code: 486, text: "Busy Here")),
            (503, "Q.850;cause=21;text=\"no\"", ServerEnd(cause: "Q.850", code: 21, text: "no")),
            (500, "rubbish;", ServerEnd(cause: "SIP", code: 500, text: "Server Internal Error")),
        ] as [(Int, String?, ServerEnd)])
    func reasonOfRejectionIsReported(_ status: Int, _ reason: String?, _ told: ServerEnd) throws {
        var (world, invite) = try World.callingStranger()
        var response = invite.response(SIPStatus(status), tag: "b")
        response.headers[.reason] = reason
        world.receive(response.bytes, from: stranger)
        #expect(Self.reported(world) == [told])
    }

    @Test(
        "the line reports the Reason of a BYE",
        arguments: [
            (
                "Q.850;cause=16;text=\"Normal call clearing\"",
                [ServerEnd(cause: "Q.850", code: 16, text: "Normal call clearing")]
            ),
            ("SIP;cause=503", [ServerEnd(cause: "SIP", code: 503, text: nil)]), ("SIP", []),
        ] as [(String, [ServerEnd])])
    func reasonOfBYEIsReported(_ reason: String, _ told: [ServerEnd]) throws {
        var (world, tag) = try World.called(by: stranger)
        let bye = stranger.request(
            .bye, sequence: 11, branch: "z9hG4bK-bye", toTag: tag, extra: [(.reason, reason)])
        world.receive(bye.bytes, from: stranger)
        #expect(Self.reported(world) == told)
    }

    @Test("our BYE has a Reason")
    func ourBYEHasReason() throws {
        var calls = Calls()
        calls.connect()
        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(1))
        let byes = calls.world.traces.map { String(decoding: $0.masked, as: UTF8.self) }.filter { $0.hasPrefix("BYE ") }
        #expect(
            byes.count == 2
                && byes.allSatisfy { $0.contains("\r\nReason: Q.850;cause=16;text=\"Normal call clearing\"\r\n") })
    }
}
