import Base
import LineCore
import SIPCore
import Testing

/// Documents and notices of servers beyond the examples of their RFCs.
@Suite("Odd servers")
struct OddServerTests {
    private static func calls(_ state: String, version: String = "1", head: String = "", attributes: String = "")
        -> String
    {
        head + "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"\(version)\" state=\"full\" "
            + "entity=\"sip:200@server.example\"><dialog id=\"a\" direction=\"recipient\"\(attributes)>\(state)</dialog></dialog-info>"
    }

    @Test(
        "a lamp follows documents as servers write them",
        arguments: [
            (calls("<state>early</state>", head: "<?xml version='1.0'?>\r\n<!-- c -->"), WatchedState.ringing),
            (calls("<state> Early </state>"), .ringing),
            (calls("<state code=\"180\" event=\"x\">early</state>"), .ringing),
            (calls("<state>confirmed</state>", version: ""), .busy),
            (calls("<state>confirmed</state>", version: "0001"), .busy), (calls("<state>hold</state>"), .busy),
            (calls("<state>confirmed</state>", version: "4294967296"), .busy),
            (
                calls(
                    "<state>confirmed</state><local><target uri='sip:x'><param pname='+SIP.Rendering' pval='NO'/></target></local>"
                ), .held
            ),
            (calls("<state>confirmed</state>", head: "\u{FEFF}"), .busy),
            (calls("<state>confirmed</state>").replacing(" state=\"full\"", with: ""), .busy),
            (
                calls("<state>confirmed</state>").replacing("dialog", with: "d:dialog").replacing(
                    "xmlns=", with: "xmlns:d="
                )
                .replacing("ns:d:dialog-info\" ", with: "ns:dialog-info\" "), .busy
            ),
            (calls("<state>confirmed</state>").replacing(" id=\"a\"", with: ""), .busy),
            (calls(""), .ringing), (calls("<state/>"), .ringing),
        ])
    func lampFollowsDocumentsAsServersWriteThem(_ document: String, _ state: WatchedState) throws {
        var desk = Desk()
        desk.notify(document)
        #expect(desk.states.last == state, "\(desk.states) \(desk.answers)")
    }

    @Test(
        "a lamp follows notices as servers send them",
        arguments: [
            ("dialog;id=1", "application/dialog-info+xml; charset=utf-8", "active"),
            ("Dialog", "Application/Dialog-Info+XML", "Active;expires=600;"),
            ("dialog", "application/dialog-info+xml", "active;expires="), ("dialog;sla", "application/xml", "active"),
            ("dialog", "text/xml", "active;expires=60"),
            ("dialog", "application/dialog-info+xml;", "active ; expires = 60"),
        ])
    func lampFollowsNoticesAsServersSendThem(_ event: String, _ type: String, _ state: String) throws {
        var desk = Desk()
        desk.notify(Self.calls("<state>confirmed</state>"), event: event, state: state, type: type)
        #expect(desk.states.last == .busy, "\(desk.answers)")
    }

    @Test(
        "messages are counted as servers write them",
        arguments: [
            ("Messages-Waiting: yes\r\nVoice-Message: 2/0", 2), ("messages-waiting:YES\nvoice-message:2/0 (0/0)\n", 2),
            ("Messages-Waiting: yes\r\nVoice-Message: 2\r\n", 2),
            ("Voice-Message: 2/1", 2),
            ("Messages-Waiting: yes\r\nMessage-Account: sip:x\r\nVoice-Message: 2/0(0/0)", 2),
            ("Messages-Waiting: no\r\nVoice-Message: 0/5", 0), ("Messages-Waiting: yes\r\nVoice-Message: new 2/0", 1),
            ("Messages-Waiting: true\r\nVoice-Message: 2/0", 2), ("Messages-Waiting: 1", 1),
            ("Messages-Waiting: false", 0),
            ("\u{FEFF}Messages-Waiting: yes", 1), ("Messages-Waiting : yes\r\n\0", 1), ("Messages-Waiting: yes;", 1),
            ("Messages-Waiting: yes\r\nFax-Message: 3/0\r\nVoice-Message: 2/0\r\nVoice-Message: 9/0", 2),
        ])
    func messagesAreCountedAsServersWriteThem(_ body: String, _ count: Int) throws {
        var world = World.registered()
        let server = Stranger(World.serverEndpoint, callID: "mwi")
        let notify = server.request(
            .notify, body: body,
            extra: [
                (.event, "message-summary"), (.contentType, "application/simple-message-summary"),
                (.subscriptionState, "active"),
            ])
        world.receive(notify.bytes, from: server)
        let counts = world.outputs(0).compactMap {
            if case .event(.messagesWaiting(_, let count)) = $0 { count } else { nil }
        }
        #expect(counts == [count])
    }
}
