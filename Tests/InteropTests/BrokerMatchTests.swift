import Base
import Bench
import Control
import HostStalls
import JSON
import Rig
import SIPCore
import Testing

/// How the two sources of a call find each other, and what is shown of them, over real wires: mosquitto over TLS, and a
/// server's messages over UDP.
@Suite(.serialized, .stallsForgiven, .enabled(if: Broker.isThere, "needs mosquitto (Scripts/setup test)"))
struct BrokerMatchTests {
    private static let number = "+4930123456"
    private let scene: BrokerScene

    init() throws {
        scene = try BrokerScene(
            port: 29_540, more: "calls: { organizations: { branch: \"9\" }, blocked: [\"mallory\", \"+1666\"] }")
    }

    private var phone: RigPhone { scene.phone }

    private func log() throws -> String { try TextFile.read(phone.folder.log) }

    /// Digits match by the last ten, letters as a text, and an id whatever the numbers are.
    @Test(
        .limit(minutesEachTime: 1),
        arguments: [("+4930123456", "004930123456", ""), ("sales", "sales", ""), ("+4930123456", "200", "x-1")])
    func offerFindsItsInfo(_ told: String, _ offered: String, _ id: String) throws {
        try scene.tell(told, "Ada", id: id.isEmpty ? "a" : id)
        let ring = try phone.wait(for: "incomingCall")
        try scene.offer(offered, extra: id.isEmpty ? [] : [(SIPHeaderName("X-Call-ID"), id)])
        _ = try scene.server.response(.ringing)
        try scene.settle()
        #expect(try scene.events("incomingCall").count == 1)
        #expect(try phone.ask("getSnapshot")["calls"]?.array?.map { $0["call"] } == [ring.fields["call"]])
    }

    @Test(.limit(minutesEachTime: 1)) func otherNumberIsAnotherCall() throws {
        try scene.tell(Self.number, "Ada", id: "a")
        try phone.wait(for: "incomingCall")
        try scene.offer("4930123457")
        #expect(try phone.wait(for: "incomingCall").summary("number") == "4930123457")
    }

    @Test(.limit(minutesEachTime: 1)) func differentIDsAreReportedAndTheCallRings() throws {
        try scene.tell(Self.number, "Ada", id: "a")
        let ring = try phone.wait(for: "incomingCall")
        try scene.offer("4930123456", extra: [(SIPHeaderName("X-Call-ID"), "z")])
        _ = try scene.server.response(.ringing)
        #expect(try phone.wait(for: "error").fields["code"] == "callerInfoDiffers")
        #expect(try log().contains("the two sources of a call of Ada have different ids for it"))
        #expect(try phone.ask("getSnapshot")["calls"]?.array?.map { $0["call"] } == [ring.fields["call"]])
    }

    /// An end that came before its call is remembered for ten seconds.
    @Test(.limit(minutesEachTime: 1)) func endIsForgottenAfterTenSeconds() throws {
        try scene.tell(Self.number, id: "a", type: "call_ended")
        try scene.settle()
        MonotonicTime.sleep(.milliseconds(10_300))
        try scene.tell(Self.number, "Ada", id: "a")
        try phone.wait(for: "incomingCall")
    }

    @Test(.limit(minutesEachTime: 1)) func organisationSelectsTheAccountAndTheOfferItsLine() throws {
        try scene.tell(
            Self.number, "Ada", id: "a", more: ["organization_id": 9, "organization_name": "Branch office"])
        let ring = try phone.wait(for: "incomingCall")
        #expect(ring.summary("account") == 2)
        // The server offers it on the other account. Voice then flows there.
        let caller = try scene.offer("4930123456")
        _ = try scene.server.response(.ringing)
        // The command ends when the server has acknowledged the answer.
        let answering = try ChildProcess(
            [Workplace.phone, "ctl", "answer", "--socket", phone.folder.socket],
            log: scene.workplace.path + "/answer.log")
        let answer = try scene.server.response(.ok)
        let tag = try #require(answer.headers.to.tag)
        try scene.server.say(caller.request(.ack, branch: "ack", toTag: tag), to: scene.port)
        let up = try phone.wait(for: "callAnswered")
        #expect(answering.wait(upTo: .seconds(5)) == .status(0))
        #expect(up.summary("account") == 1 && up.fields["call"] == ring.fields["call"])
    }

    /// A contact's name comes first, then the backend's, then the server's, then the number.
    @Test(.limit(minutesEachTime: 1)) func shownNameHasAFixedOrder() throws {
        let names: [(server: String?, backend: String?, contact: String?, shown: JSONValue)] = [
            (nil, nil, nil, .null), ("Server", nil, nil, "Server"), ("Server", "Backend", nil, "Backend"),
            ("Server", "Backend", "Friend", "Friend"),
        ]
        for (row, name) in names.enumerated() {
            let number = "49301234\(row)"
            if let contact = name.contact {
                try phone.ask("addContact", ["name": .string(contact), "number": .string(number)])
            }
            try scene.offer(number, name: name.server, callID: "shown-\(row)")
            let ring = try phone.wait(for: "incomingCall")
            _ = try scene.server.response(.ringing)
            if let backend = name.backend { try scene.tell(number, backend, id: "shown-\(row)") }
            try scene.settle()
            let calls = try phone.ask("getSnapshot")["calls"]?.array ?? []
            #expect(calls.first?["name"] == name.shown && calls.first?["number"] == .string(number), "\(name)")
            try phone.ask("decline", ["call": ring.fields["call"] ?? .null])
            try phone.wait(for: "callEnded")
        }
    }

    @Test(.limit(minutesEachTime: 1)) func detailsOfTheCallerAreShown() throws {
        try scene.offer(
            "anonymous",
            extra: [
                (SIPHeaderName("Privacy"), "id"), (.diversion, "<sip:4930999@127.0.0.1>;reason=no-answer"),
                (.pCalledPartyID, "<sip:4930777@127.0.0.1>"),
            ])
        let ring = try phone.wait(for: "incomingCall")
        #expect(ring.summary("withheld") == true)
        #expect(ring.summary("divertedBy") == "4930999" && ring.summary("called") == "4930777")
    }

    @Test(.limit(minutesEachTime: 1)) func textOfACallerIsReportedAndABlockedOneIsNot() throws {
        for (place, sender) in ["+1666", "200"].enumerated() {
            let message = ScriptedCaller(at: scene.server, callID: "text-\(place)").request(
                .message, body: "the door",
                extra: [(.contentType, "text/plain"), (.pAssertedIdentity, "<sip:\(sender)@127.0.0.1>")])
            try scene.server.say(message, to: scene.port)
        }
        let text = try phone.wait(for: "textReceived")
        #expect(text.fields["from"] == "200" && text.fields["text"] == "the door")
        #expect(try scene.events("textReceived").count == 1)
    }
}
