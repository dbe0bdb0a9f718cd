import SIPCore
import Testing

/// The caller, the forwarding parties and the route; and the devices behind a Contact.
@Suite struct IdentityHeaderTests {
    private func headers(_ name: SIPHeaderName, _ lines: String...) -> SIPHeaders {
        var headers = SIPHeaders()
        for line in lines { headers.append(name, line) }
        return headers
    }

    @Test func assertedAndPreferredIdentitiesAreRead() throws {
        let both = headers(.pAssertedIdentity, #""Cullen Jennings" <sip:fluffy@cisco.com>"#, "tel:+14085264000")
        #expect(try both.assertedIdentities.map(\.uri.text) == ["sip:fluffy@cisco.com", "tel:+14085264000"])
        #expect(try headers(.pPreferredIdentity, "<sip:a@b>").preferredIdentities.count == 1)
        #expect(try headers(.pCalledPartyID, "<sip:a@b>;x=y").calledParty?.uri.text == "sip:a@b")
    }

    @Test func remotePartiesAreRead() throws {
        let line =
            #""A" <sip:a@b>;Party=calling;screen=yes;privacy=full, <sip:c@d>;party=called;privacy=off, <sip:e@f>"#
        let parties = try headers(.remotePartyID, line).remoteParties
        #expect(parties.map(\.party) == [.calling, .called, nil])
        #expect(parties.map(\.isScreened) == [true, false, false])
        #expect(parties.map(\.isPrivate) == [true, false, false])
        #expect(try RemotePartyID(parties[0].text) == parties[0])
    }

    @Test(
        arguments: [
            ([], nil, false, false), (["none"], ["none"], false, false), (["id"], ["id"], true, false),
            (["ID ; critical"], ["id", "critical"], true, true),
            (["header,user", "session"], ["header", "user", "session"], true, false),
        ] as [([String], [String]?, Bool, Bool)])
    func privacyIsRead(_ lines: [String], _ values: [String]?, _ hides: Bool, _ isCritical: Bool) throws {
        var headers = SIPHeaders()
        for line in lines { headers.append(.privacy, line) }
        let privacy = try headers.privacy
        #expect(privacy?.values == values)
        #expect((privacy?.hidesIdentity ?? false) == hides)
        #expect((privacy?.isCritical ?? false) == isCritical)
    }

    @Test func privacyIsWritten() throws {
        #expect(Privacy(["ID", "critical"]).text == "id;critical")
        #expect(throws: SIPParseError(.token, at: 1, in: .privacy)) { try headers(.privacy, ";").privacy }
    }

    @Test func diversionsAreRead() throws {
        let line = "<sip:b@b>;reason=User-Busy;counter=3;privacy=full, <sip:a@a>;counter=0"
        let diversions = try headers(.diversion, line, "<tel:+1>;reason=unconditional;counter=999").diversions
        #expect(diversions.map(\.reason) == ["user-busy", nil, "unconditional"])
        #expect(diversions.map(\.count) == [3, 1, 1])
        #expect(diversions.map(\.isPrivate) == [true, false, false])
        #expect(try Diversion(diversions[0].text) == diversions[0])
    }

    @Test func historyIsRead() throws {
        let line =
            "<sip:bob@a?Reason=SIP%3Bcause%3D302>;index=1, <sip:bob@b?Privacy=history&Reason=Q.850%3Bcause%3D17>;index=1.1;rc=1, "
            + "<sip:x@c>;index=1..2, <sip:y@d?Privacy=%3B>"
        let entries = try headers(.historyInfo, line).history
        #expect(entries.map(\.index) == [[1], [1, 1], [], []])
        #expect(entries.map { $0.reason?.cause } == [302, 17, nil, nil])
        #expect(entries.map(\.isPrivate) == [false, true, false, true])
        #expect(try HistoryInfoEntry(entries[1].text) == entries[1])
    }

    @Test func routesAndTimersAreRead() throws {
        #expect(
            try headers(.serviceRoute, "<sip:p1;lr>, <sip:p2;lr>").serviceRoutes.map(\.uri.text) == [
                "sip:p1;lr", "sip:p2;lr",
            ])
        #expect(try headers(.path, "<sip:p;lr;ob>").path.first?.uri.sip?.prefersItsFlow == true)
        #expect(try headers(.flowTimer, "120").flowTimer == 120)
        #expect(throws: SIPParseError.self) { try headers(.flowTimer, "soon").flowTimer }
    }

    @Test func contactsOfDevicesAreRead() throws {
        let line =
            #"<sip:a@192.0.2.1;ob>;expires=600;reg-id=1;+sip.instance="<urn:uuid:1>";"#
            + #"pub-gruu="sip:a@example.com;gr=urn:uuid:1";temp-gruu="sip:t@example.com;gr""#
        var contact = try #require(try headers(.contact, line).contacts.first)
        #expect(contact.expires == 600)
        #expect(contact.registrationID == 1)
        #expect(contact.instance == "urn:uuid:1")
        #expect(contact.publicGRUU?.text == "sip:a@example.com;gr=urn:uuid:1")
        #expect(contact.temporaryGRUU?.sip?.isGRUU == true)
        #expect(contact.uri.sip?.isGRUU == false)
        contact.instance = nil
        contact.registrationID = 2
        contact.expires = nil
        #expect(!contact.text.contains("instance") && contact.text.contains(";reg-id=2"))
        #expect(contact.expires == nil)
        contact.instance = "urn:uuid:9"
        #expect(contact.text.contains(#";+sip.instance="<urn:uuid:9>""#))
        var uri = SIPURI(host: "a")
        uri.prefersItsFlow = true
        #expect(uri.text == "sip:a;ob")
        uri.prefersItsFlow = false
        #expect(uri.text == "sip:a")
    }

    @Test(arguments: ["reg-id=0", "reg-id=2147483648", "reg-id=x", "reg-id", "pub-gruu=\"\"", "pub-gruu=\"a b\""])
    func invalidDeviceFieldsAreRejected(_ parameter: String) throws {
        let contact = try NameAddress("<sip:a@b>;\(parameter)")
        #expect(contact.registrationID == nil)
        #expect(contact.publicGRUU == nil)
    }
}
