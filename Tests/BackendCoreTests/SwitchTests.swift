import BackendCore
import Base
import JSON
import Telephony
import Testing

/// Change of the organisation: the identifier's kind, each kind of failure, and the way back.
@Suite struct SwitchTests {
    private func target(_ asked: String) throws -> JSONValue? {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation(asked))
        return try JSONValue(parsing: try phone.request(Phone.switching).text)["target_organization_id"]
    }

    /// The backend gets the identifier exactly as it gave it.
    @Test func identifierKeepsItsKind() throws {
        #expect(try target("42") == 42)
        #expect(try target("org_nord") == "org_nord")
        #expect(try target("0042") == "0042")
        // Not in the list: caller info may know it first.
        #expect(try target("43") == 43)
        #expect(try target("007") == "007")
        #expect(try target("99999999999999999999") == "99999999999999999999")
    }

    @Test func switchGivesTheNewAccount() throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation("42"))
        let nord = Phone.account(42, ["sip_username": "ada-42", "organization_name": "Bletchley Park"])
        try phone.answer(Phone.switching, 200, nord)
        guard case .switched(let credentials, "42") = phone.notices.last else {
            Issue.record("\(phone.notices)")
            return
        }
        #expect(credentials.user == "ada-42" && credentials.organisation.name == "Bletchley Park")
        #expect(credentials.callerNumber == "+442079460017" && credentials.transport == .tls)
        #expect(phone.kept?.registration?.current.id == .number(42))
        #expect(phone.machine.statistics.switches == 1)
    }

    @Test func answerMayWriteTheNumberAsText() throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation("42"))
        try phone.answer(Phone.switching, 200, Phone.account("42"))
        #expect(phone.kept?.registration?.current.id == .number(42), "the kind of the list stays")
    }

    @Test(arguments: ["", String(repeating: "7", count: 65), "4\n2", "4\u{202E}2"])
    func textWithoutOrganisationIsRejected(_ asked: String) throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation(asked))
        #expect(phone.notices == [.switchFailed(.noOrganisation, target: asked)] && phone.open.isEmpty)
    }

    @Test func signedOutPhoneCannotSwitch() throws {
        var phone = try Phone.restored()
        phone.post(.switchOrganisation("42"))
        #expect(phone.notices == [.switchFailed(.signInNeeded, target: "42")])
    }

    /// The failure of a switch after this step.
    private func failure(_ step: (inout Phone) throws -> Void) throws -> BackendFailure? {
        var phone = try Phone.signedIn()
        let before = phone.kept
        phone.post(.switchOrganisation("42"))
        try step(&phone)
        #expect(phone.kept == before && phone.machine.state == before, "nothing has changed")
        #expect(phone.notices.count == 1 && phone.machine.statistics.failedSwitches == 1)
        guard case .switchFailed(let failure, "42") = phone.notices.last else { return nil }
        return failure
    }

    @Test func eachFailureHasItsKind() throws {
        #expect(try failure { try $0.fail(Phone.switching, .network("no route")) } == .network("no route"))
        #expect(try failure { try $0.fail(Phone.switching, .timeout) } == .timeout)
        #expect(try failure { try $0.fail(Phone.switching, .unreadable(.tooLong)) } == .parse(.init("", .tooLong)))
        #expect(try failure { $0.run(for: .seconds(4)) } == .timeout)
        let refusal: JSONValue = ["error": "not_a_member", "message": "Ada does not belong to 42."]
        #expect(
            try failure { try $0.answer(Phone.switching, 403, refusal) }
                == .api(status: 403, text: "Ada does not belong to 42."))
        #expect(
            try failure { try $0.answer(Phone.switching, 500, bytes: [0xFF, 0xFE]) } == .api(status: 500, text: ""))
        #expect(try failure { try $0.answer(Phone.switching, 304) } == .api(status: 304, text: ""))
        #expect(
            try failure { try $0.answer(Phone.switching, 200, bytes: Array("{\"kind\":".utf8)) }
                == .parse(.init("", .notJSON)))
        #expect(try failure { try $0.answer(Phone.switching, 200, bytes: []) } == .parse(.init("", .notJSON)))
        #expect(
            try failure { try $0.answer(Phone.switching, 200, bytes: [UInt8](repeating: 32, count: 65_537)) }
                == .parse(.init("", .tooLong)))
        #expect(
            try failure { try $0.answer(Phone.switching, 200, Phone.account(17)) }
                == .parse(.init("organization_id", .mismatch)))
    }

    static let invalid: [(String, JSONValue?, BackendParseFault.Problem)] = [
        ("kind", "h323", .unknownValue), ("kind", 1, .wrongType), ("sip_username", nil, .missing),
        ("sip_username", 7, .wrongType), ("sip_username", "", .empty), ("sip_username", "a\r\nb", .characters),
        ("sip_password", nil, .missing), ("sip_password", .null, .missing), ("sip_password", ["a"], .wrongType),
        ("sip_password", .string(String(repeating: "p", count: 256)), .tooLong),
        ("sip_server", "sip example", .characters), ("sip_transport", "carrier pigeon", .characters),
        ("sip_transport", "sctp", .unknownValue), ("caller_id_name", 7, .wrongType),
        ("caller_id_number", true, .wrongType), ("organization_id", nil, .missing),
        ("organization_id", 42.5, .wrongType), ("organization_id", true, .wrongType),
        ("organization_name", 7, .wrongType), ("login_token", "a b", .characters), ("issued_at", 7, .wrongType),
        ("issued_at", "yesterday", .characters), ("expires_at", "2027-02-30T00:00:00Z", .characters),
    ]

    @Test(arguments: invalid) func invalidMemberIsNamed(
        _ key: String, _ value: JSONValue?, _ problem: BackendParseFault.Problem
    ) throws {
        let answer = Phone.account(42, [key: value])
        #expect(try failure { try $0.answer(Phone.switching, 200, answer) } == .parse(.init(key, problem)))
    }

    @Test func serversTextIsCleanedAndBounded() throws {
        let text = "No.\u{1B}[2J\u{202E}" + String(repeating: "x", count: 10_000)
        let failure = try failure { try $0.answer(Phone.switching, 403, ["message": .string(text)]) }
        guard case .api(403, let shown) = failure else { throw Phone.Missing(description: "no text") }
        #expect(shown.hasPrefix("No.[2Jxxx") && shown.utf8.count == 200)
    }

    @Test func textThatRepeatsTheTokenIsNotShown() throws {
        let text = "unknown token " + Phone.access
        #expect(
            try failure { try $0.answer(Phone.switching, 403, ["message": .string(text)]) }
                == .api(status: 403, text: ""))
    }

    @Test func newestSwitchReplacesTheOlderOne() throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation("42"))
        phone.post(.switchOrganisation("org_nord"))
        #expect(phone.notices == [.switchFailed(.abandoned, target: "42")])
        #expect(phone.open.count == 1)
        try phone.answer(Phone.switching, 200, Phone.account("org_nord"))
        #expect(phone.kept?.registration?.current.id == .text("org_nord"))
    }

    @Test func sameSwitchTwiceAsksOnce() throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation("42"))
        phone.post(.switchOrganisation("42"))
        #expect(phone.asked[Phone.switching] == 1 && phone.notices.isEmpty)
    }

    /// After a roll-back, the backend has to know which organisation the phone works for.
    @Test func rollBackIsToldToTheBackend() throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation("42"))
        try phone.answer(Phone.switching, 200, Phone.account(42))
        phone.clear()
        phone.post(.rolledBack(to: "17"))
        #expect(
            phone.kept?.registration?.current == phone.kept?.registration?.organisations.first { $0.id == .number(17) })
        #expect(try JSONValue(parsing: phone.request(Phone.switching).text)["target_organization_id"] == 17)
        try phone.answer(Phone.switching, 200, Phone.account(17))
        #expect(phone.notices.isEmpty, "nobody asked for these credentials")
        phone.post(.rolledBack(to: "17"))
        phone.post(.rolledBack(to: "4\n2"))
        #expect(phone.open.isEmpty)
    }

    /// Until the phone has stored the credentials of a switch, and after a roll-back, those of the former organisation
    /// count.
    @Test func ageOfCredentialsFollowsWhatThePhoneHasStored() throws {
        for isStored in [true, false] {
            var phone = try Phone.signedIn()
            let former = phone.kept?.registration?.credentialTimes
            phone.now = phone.now + .seconds(60)
            phone.post(.switchOrganisation("42"))
            try phone.answer(Phone.switching, 200, Phone.account(42, ["expires_at": "2027-01-16T08:00:05Z"]))
            #expect(phone.kept?.registration?.credentialTimes == former)
            phone.post(isStored ? .credentialsKept(of: "42") : .rolledBack(to: "17"))
            #expect((phone.kept?.registration?.credentialTimes == former) == !isStored)
        }
    }

    /// The caller hangs up while the backend switches. Its late answer must not count.
    @Test func rollBackBeforeTheAnswerEndsTheSwitch() throws {
        var phone = try Phone.signedIn()
        phone.post(.switchOrganisation("42"))
        let late = try #require(phone.open.first?.id)
        phone.post(.rolledBack(to: "17"))
        #expect(phone.notices == [.switchFailed(.abandoned, target: "42")])
        #expect(try JSONValue(parsing: phone.request(Phone.switching).text)["target_organization_id"] == 17)
        phone.post(.answered(late, BackendResponse(status: 200, body: Phone.account(42).utf8)))
        #expect(phone.kept?.registration?.current.id == .number(17))
        try phone.answer(Phone.switching, 200, Phone.account(17))
        #expect(phone.kept?.registration?.current.id == .number(17))
    }

    /// The backend may have missed the roll-back: credentials of the other organisation are not taken.
    @Test func credentialsOfAnotherOrganisationAreRejected() throws {
        var phone = try Phone.signedIn()
        phone.post(.renewCredentials)
        try phone.answer(Phone.credentials, 200, Phone.account(42))
        #expect(phone.notices == [.credentialsNotRenewed(.parse(.init("organization_id", .mismatch)))])
        #expect(try JSONValue(parsing: phone.request(Phone.switching).text)["target_organization_id"] == 17)
        try phone.answer(Phone.switching, 200, Phone.account(17))
        phone.post(.renewCredentials)
        try phone.answer(Phone.credentials, 200, Phone.account(17))
        guard case .credentialsRenewed = phone.notices.last else { throw Phone.Missing(description: "not renewed") }
    }

    // MARK: The list

    @Test func listIsToldAndKept() throws {
        var phone = try Phone.signedIn()
        phone.post(.listOrganisations)
        #expect(try phone.request(Phone.organisations).etag == "\"list-1\"")
        try phone.answer(Phone.organisations, 304)
        guard case .organisations(let list, let current) = phone.notices.last else {
            throw Phone.Missing(description: "no list")
        }
        #expect(list.map(\.id) == [.number(17), .number(42), .text("org_nord"), .text("0042")])
        #expect(current.id == .number(17) && list[2].channelNumber == "+4940")
        #expect(phone.kept?.registration?.organisations == list)
        #expect(!phone.effects.contains { if case .keep = $0 { true } else { false } }, "nothing is new")
    }

    static let lists: [(JSONValue, BackendParseFault)] = [
        ([:], .init("organizations", .missing)), (["organizations": "none"], .init("organizations", .wrongType)),
        (["organizations": [7]], .init("organizations[0]", .wrongType)),
        (["organizations": [["id": 1], ["name": "a"]]], .init("organizations[1].id", .missing)),
        (["organizations": [["id": 1, "name": 7]]], .init("organizations[0].name", .wrongType)),
        (["organizations": [["id": ""]]], .init("organizations[0].id", .empty)),
        (["organizations": [["id": 1, "is_default": "yes"]]], .init("organizations[0].is_default", .wrongType)),
        (
            ["organizations": .array([JSONValue](repeating: ["id": 1], count: 101))],
            .init("organizations", .tooMany)
        ),
    ]

    @Test(arguments: lists) func invalidListIsNamed(_ list: JSONValue, _ fault: BackendParseFault) throws {
        var phone = try Phone.signedIn()
        let before = phone.kept
        phone.post(.listOrganisations)
        try phone.answer(Phone.organisations, 200, list)
        #expect(phone.notices == [.organisationsFailed(.parse(fault))] && phone.kept == before)
    }
}
