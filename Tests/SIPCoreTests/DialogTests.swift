import SIPCore
import Testing

@Suite struct DialogTests {
    private func response(_ status: SIPStatus, routes: [String], contact: String = "<sip:bob@192.0.2.9>") throws
        -> SIPResponse
    {
        var response = try SIPRequest.sample(.invite).response(status, tag: "b2")
        for route in routes { response.headers.append(.recordRoute, route) }
        response.headers.append(.contact, contact)
        return response
    }

    private func caller(_ status: SIPStatus, routes: [String]) throws -> Dialog {
        try Dialog(sending: .sample(.invite), receiving: response(status, routes: routes))
    }

    private func incoming(_ method: SIPMethod, sequence: UInt32, contact: String? = nil) throws -> SIPRequest {
        var request = try SIPRequest(
            method, URI("sip:alice@192.0.2.1"), from: NameAddress(URI("sip:bob@example.net"), tag: "b2"),
            to: NameAddress(URI("sip:alice@example.com"), tag: "a1"), callID: "call-1", sequence: sequence)
        request.headers[.contact] = contact
        return request
    }

    @Test func callerRoutesLoosely() throws {
        var dialog = try caller(.ok, routes: ["<sip:p2;lr>", "<sip:p1;lr>"])
        #expect(dialog.id == Dialog.ID(callID: "call-1", localTag: "a1", remoteTag: "b2"))
        #expect(dialog.state == .confirmed)
        let bye = dialog.request(.bye)
        #expect(bye.uri.text == "sip:bob@192.0.2.9")
        #expect(bye.headers.lines(.route) == ["<sip:p1;lr>", "<sip:p2;lr>"])
        #expect(try bye.headers.cSeq == CSeq(8, .bye))
        #expect(try bye.headers.from.tag == "a1")
        #expect(try bye.headers.to.tag == "b2")
        #expect(try bye.headers.maxForwards == 70)
        #expect(dialog.nextHop.text == "sip:p1;lr")
        #expect(try bye.nextHop == dialog.nextHop)
        #expect(try dialog.request(.info).headers.cSeq.number == 9)
    }

    @Test func reliableResponsesAreAcknowledgedInTheirDialog() throws {
        var dialog = try caller(.ringing, routes: ["<sip:p1;lr>"])
        let prack = try dialog.acknowledgement(of: RSeq(9), to: .sample(.invite))
        #expect(prack.headers[.rAck] == "9 7 INVITE" && prack.headers[.route] == "<sip:p1;lr>")
        #expect(try prack.headers.cSeq == CSeq(8, .prack) && prack.headers.to.tag == "b2")
        #expect(dialog.state == .early)
        dialog.leap(by: 100)
        #expect(try dialog.request(.bye).headers.cSeq.number == 109)
    }

    @Test func strictRouterGetsRequestURI() throws {
        var dialog = try caller(.ok, routes: ["<sip:p2;lr>", "<sip:p1;method=BYE?x=y>"])
        let bye = dialog.request(.bye)
        #expect(bye.uri.text == "sip:p1")
        #expect(bye.headers.lines(.route) == ["<sip:p2;lr>", "<sip:bob@192.0.2.9>"])
        #expect(dialog.nextHop.sip?.host == "p1")
    }

    @Test func contactCannotShapeRequests() throws {
        let answer = try response(.ok, routes: [], contact: "<sip:bob@192.0.2.9;method=REGISTER?Evil=1>")
        var dialog = try Dialog(sending: .sample(.invite), receiving: answer)
        #expect(dialog.request(.bye).uri.text == "sip:bob@192.0.2.9")
        #expect(!dialog.request(.bye).headers.contains(.route))
    }

    @Test func acknowledgementTakesNumberAndCredentials() throws {
        var dialog = try caller(.ok, routes: ["<sip:p1;lr>"])
        var invite = try SIPRequest.sample(.invite)
        invite.headers[.proxyAuthorization] = "Digest username=\"a\""
        _ = dialog.request(.info)
        let ack = try dialog.acknowledgement(of: invite)
        #expect(try ack.headers.cSeq == CSeq(7, .ack))
        #expect(ack.headers[.proxyAuthorization] == "Digest username=\"a\"")
        #expect(ack.headers[.route] == "<sip:p1;lr>")
    }

    @Test func finalResponseConfirmsEarlyDialog() throws {
        var dialog = try caller(.ringing, routes: ["<sip:early;lr>"])
        #expect(dialog.state == .early)
        let late = try response(.ok, routes: ["<sip:late;lr>"], contact: "<sip:bob@192.0.2.10>")
        try dialog.receive(late, to: .sample(.invite))
        #expect(dialog.state == .confirmed)
        #expect(dialog.routeSet.map(\.uri.text) == ["sip:late;lr"])
        #expect(dialog.remoteTarget.text == "sip:bob@192.0.2.10")
        try dialog.receive(
            response(.ok, routes: ["<sip:later;lr>"], contact: "<sip:bob@192.0.2.11>"), to: .sample(.invite))
        #expect(dialog.routeSet.map(\.uri.text) == ["sip:late;lr"])
        #expect(dialog.remoteTarget.text == "sip:bob@192.0.2.11")
        try dialog.receive(response(.ok, routes: [], contact: "<sip:x@y>"), to: .sample(.bye))
        #expect(dialog.remoteTarget.text == "sip:bob@192.0.2.11")
    }

    @Test func withoutTagThereIsNoEarlyDialog() throws {
        let ringing = try SIPRequest.sample(.invite).response(.ringing)
        #expect(throws: SIPParseError(.missing, at: 0, in: .to)) {
            try Dialog(sending: .sample(.invite), receiving: ringing)
        }
    }

    @Test func calleeMirrorsCaller() throws {
        var invite = try SIPRequest.sample(.invite)
        invite.headers.append(.recordRoute, "<sip:p1;lr>, <sip:p2;lr>")
        let withoutContact = try Dialog(receiving: invite, sending: invite.response(.ringing, tag: "b2"))
        #expect(withoutContact.remoteTarget == withoutContact.remote.uri)
        invite.headers.append(.contact, "<sip:alice@192.0.2.1:5062>")
        var dialog = try Dialog(receiving: invite, sending: invite.response(.ringing, tag: "b2"))
        #expect(dialog.id == Dialog.ID(callID: "call-1", localTag: "b2", remoteTag: "a1"))
        #expect(dialog.state == .early)
        dialog.confirm()
        #expect(dialog.state == .confirmed)
        let bye = dialog.request(.bye)
        #expect(bye.uri.text == "sip:alice@192.0.2.1:5062")
        #expect(bye.headers.lines(.route) == ["<sip:p1;lr>", "<sip:p2;lr>"])
        #expect(try bye.headers.from.uri.text == "sip:bob@example.net")
        #expect(try bye.headers.cSeq.number == 1)
    }

    @Test func requestsOutOfOrderAreRejected() throws {
        var dialog = try caller(.ok, routes: [])
        try dialog.receive(incoming(.invite, sequence: 5, contact: "<sip:bob@new>"))
        #expect(dialog.remoteTarget.text == "sip:bob@new")
        for old in [UInt32(4), 5] {
            let request = try incoming(.invite, sequence: old, contact: "<sip:bob@old>")
            #expect(throws: Dialog.Fault.outOfOrder(last: 5)) { try dialog.receive(request) }
        }
        try dialog.receive(incoming(.ack, sequence: 5, contact: "<sip:bob@old>"))
        try dialog.receive(incoming(.bye, sequence: 9, contact: "<sip:bob@old>"))
        #expect(dialog.remoteTarget.text == "sip:bob@new")
        #expect(dialog.remoteSequence == 9)
    }

    @Test func messagesNameTheirDialog() throws {
        let dialog = try caller(.ok, routes: [])
        #expect(try Dialog.ID(incoming(.bye, sequence: 1)) == dialog.id)
        #expect(try Dialog.ID(response(.ok, routes: [])) == dialog.id)
        #expect(try Dialog.ID(SIPRequest.sample(.invite)) == nil)
    }
}
