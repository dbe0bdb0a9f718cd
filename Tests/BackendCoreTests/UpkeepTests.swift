import BackendCore
import Base
import JSON
import Testing

/// Renewals that nobody asks for: credentials, and the registration for caller info.
@Suite struct UpkeepTests {
    private static let day = Duration.seconds(86_400)

    /// Runs and answers requests for access tokens, until a request at this path is open.
    /// - Returns: The time that it took, or nil if it did not come.
    private func wait(_ phone: inout Phone, for path: String, upTo limit: Duration) throws -> Duration? {
        let start = phone.now
        while phone.now - start < limit {
            if phone.isOpen(path) { return phone.now - start }
            if phone.isOpen(Phone.accessPath) {
                try phone.answer(Phone.accessPath, 200, Phone.grant(seconds: 86_400))
                continue
            }
            if path != Phone.pushes, phone.isOpen(Phone.pushes) {
                try phone.answer(Phone.pushes, 201, Phone.push("push-\(phone.now.nanoseconds)"))
                continue
            }
            if path != Phone.credentials, phone.isOpen(Phone.credentials) {
                try phone.answer(Phone.credentials, 200, Phone.account())
                continue
            }
            guard let due = phone.machine.deadline, due <= start + limit else { return nil }
            phone.now = max(phone.now, due)
            phone.post(.deadline)
        }
        return nil
    }

    @Test func credentialsAreRenewedAfterThirtyDays() throws {
        var phone = try Phone.signedIn()
        let waited = try #require(try wait(&phone, for: Phone.credentials, upTo: Self.day * 31))
        #expect((Self.day * 28...Self.day * 30).contains(waited), "\(waited)")
        try phone.answer(Phone.credentials, 200, Phone.account(17, ["sip_password": "new"]))
        guard case .credentialsRenewed(let credentials) = phone.notices.last(where: { $0.isAboutCredentials }) else {
            throw Phone.Missing(description: "\(phone.notices)")
        }
        #expect(credentials.password.reveal() == "new")
        phone.post(.credentialsKept(of: "17"))
        #expect(phone.kept?.registration?.credentialTimes.issuedAt == phone.time)
        phone.clear()
        let next = try #require(try wait(&phone, for: Phone.credentials, upTo: Self.day * 31))
        #expect(next >= Self.day * 28)
    }

    @Test func renewalSurvivesARestart() throws {
        var phone = try Phone.signedIn()
        let state = try #require(phone.kept)
        phone = try Phone(seed: 9)
        phone.now = phone.now + Self.day * 35
        phone.post(.restore(state, fresh: "other"))
        let waited = try #require(try wait(&phone, for: Phone.credentials, upTo: .seconds(60)))
        #expect(waited <= .seconds(20))
        #expect(phone.machine.state?.deviceID == "urn:uuid:phone")
    }

    /// The power may fail after the backend's record is stored and before the credentials are.
    @Test func renewalThatThePhoneHasNotStoredIsRepeatedAfterARestart() throws {
        var phone = try Phone.signedIn()
        let times = phone.kept?.registration?.credentialTimes
        _ = try #require(try wait(&phone, for: Phone.credentials, upTo: Self.day * 31))
        try phone.answer(Phone.credentials, 200, Phone.account(17, ["sip_password": "new"]))
        let state = try #require(phone.kept)
        #expect(state.registration?.credentialTimes == times)
        phone.post(.credentialsKept(of: "42"))
        #expect(phone.kept?.registration?.credentialTimes == times, "they are of another organisation")
        let now = phone.now
        phone = try Phone(seed: 9)
        phone.now = now
        phone.post(.restore(state, fresh: "other"))
        let waited = try #require(try wait(&phone, for: Phone.credentials, upTo: .seconds(60)))
        #expect(waited <= .seconds(20))
    }

    private static let telnyx = Phone.account(
        17, ["kind": "telnyx", "login_token": "login-1", "expires_at": "2027-01-16T08:00:05Z"])

    /// A login token of Telnyx is valid for a day. Without renewal the phone would be deaf then.
    @Test func loginTokenIsRenewedBeforeItEnds() throws {
        var phone = try Phone.signedIn(Phone.device(["credentials": Self.telnyx]))
        let waited = try #require(try wait(&phone, for: Phone.credentials, upTo: Self.day))
        #expect((.seconds(20 * 3_600)...Duration.seconds(21.7 * 3_600)).contains(waited), "\(waited)")
        #expect(phone.kept?.registration?.credentialTimes.expireAt == Phone.start + 86_405)
    }

    @Test func failedRenewalIsToldBeforeTheCredentialsEnd() throws {
        var phone = try Phone.signedIn(Phone.device(["credentials": Self.telnyx]))
        _ = try wait(&phone, for: Phone.credentials, upTo: Self.day)
        var told: BackendNotice?
        var attempts = 0
        while told == nil, attempts < 40 {
            attempts += 1
            phone.clear()
            try phone.fail(Phone.credentials)
            told = phone.notices.first { if case .credentialsExpiring = $0 { true } else { false } }
            if told == nil { _ = try wait(&phone, for: Phone.credentials, upTo: Self.day) }
        }
        #expect(told == .credentialsExpiring(at: Phone.start + 86_405, .network("no route to host")))
        #expect(phone.time < Phone.start + 86_405 && attempts == 3)
        _ = try wait(&phone, for: Phone.credentials, upTo: Self.day)
        phone.clear()
        try phone.fail(Phone.credentials)
        #expect(phone.notices == [.credentialsNotRenewed(.network("no route to host"))], "one warning is enough")
    }

    @Test func renewalsPauseLongerAndLonger() throws {
        var phone = try Phone.signedIn()
        _ = try wait(&phone, for: Phone.credentials, upTo: Self.day * 31)
        var attempts = 0
        let end = phone.now + Self.day
        while phone.now < end {
            if phone.isOpen(Phone.credentials) {
                attempts += 1
                try phone.answer(Phone.credentials, 500)
            }
            guard try wait(&phone, for: Phone.credentials, upTo: end - phone.now) != nil else { break }
        }
        #expect((8...16).contains(attempts), "\(attempts) in a day")
    }

    /// A backend that issues ended credentials must not make the phone ask without a pause.
    @Test func endedCredentialsDoNotCauseAFlood() throws {
        var phone = try Phone.signedIn()
        phone.post(.renewCredentials)
        let ended = Phone.account(17, ["issued_at": "1970-01-01T00:00:00Z", "expires_at": "1970-01-02T00:00:00Z"])
        try phone.answer(Phone.credentials, 200, ended)
        for _ in 0..<5 {
            phone.run(for: .seconds(599))
            #expect(!phone.isOpen(Phone.credentials))
            phone.run(for: .seconds(1))
            if phone.isOpen(Phone.accessPath) { try phone.answer(Phone.accessPath, 200, Phone.grant(seconds: 86_400)) }
            try phone.answer(Phone.credentials, 200, ended)
        }
    }

    @Test func unsetClockRenewsNothing() throws {
        let state = try #require(try Phone.signedIn().kept)
        var phone = try Phone()
        phone.clockError = -Phone.start
        phone.post(.restore(state, fresh: "other"))
        #expect(try wait(&phone, for: Phone.credentials, upTo: Self.day * 31) == nil)
        phone.clockError = 0
        let waited = try #require(try wait(&phone, for: Phone.credentials, upTo: .seconds(120)))
        #expect(waited <= .seconds(60), "the phone looks at the clock every minute")
    }

    /// The clock jumps when it is set; a renewal is never more than an hour late.
    @Test func clockThatIsSetIsNoticed() throws {
        var phone = try Phone.signedIn()
        phone.run(for: .seconds(10))
        phone.clockError = 86_400 * 40
        #expect(try #require(try wait(&phone, for: Phone.credentials, upTo: Self.day)) <= .seconds(3_600))
    }

    // MARK: Caller info

    @Test func pushIsRenewedAfterAWeek() throws {
        var phone = try Phone.signedIn()
        let waited = try #require(try wait(&phone, for: Phone.pushes, upTo: Self.day * 8))
        #expect((Self.day * 6...Self.day * 7).contains(waited), "\(waited)")
        phone.clear()
        try phone.answer(Phone.pushes, 201, Phone.push("push-2"))
        guard case .pushRegistration(.some(let push)) = phone.notices.last else {
            throw Phone.Missing(description: "\(phone.notices)")
        }
        #expect(push.id == "push-2" && push.password?.reveal() == "mqtt-secret" && push.port == 8_883)
        #expect(phone.kept?.registration?.push == push)
    }

    @Test(arguments: [(86_400, 24), (1, 1), (0, 1), (.max, 168)] as [(Int64, Int)])
    func backendChoosesTheAgeWithinBounds(
        _ seconds: Int64, _ hours: Int
    ) throws {
        var phone = try Phone.signedIn(
            Phone.device(["push_registration": Phone.push("p", ["renew_after": .integer(seconds)])]))
        let waited = try #require(try wait(&phone, for: Phone.pushes, upTo: Self.day * 8))
        #expect(waited <= .seconds(hours * 3_600) && waited >= .seconds(hours * 3_400), "\(waited)")
    }

    @Test func voidRegistrationIsReportedOnceAndReplaced() throws {
        var phone = try Phone.signedIn()
        phone.post(.pushRefused("SUBACK 0x87: not authorized\u{7}"))
        phone.post(.pushRefused("again"))
        let report = try phone.request(Phone.pushes + "/push-1/void")
        #expect(report.text == #"{"reason":"SUBACK 0x87: not authorized"}"#)
        #expect(phone.asked == [Phone.pushes + "/push-1/void": 1])
        try phone.answer(Phone.pushes + "/push-1/void", 204)
        #expect(phone.notices == [.pushRegistration(nil)] && phone.kept?.registration?.push == nil)
        let waited = try #require(try wait(&phone, for: Phone.pushes, upTo: Self.day))
        #expect(waited >= .seconds(590) && waited <= .seconds(610))
        try phone.answer(Phone.pushes, 201, Phone.push("push-2"))
        #expect(phone.kept?.registration?.push?.id == "push-2")
    }

    @Test func failedReportIsRepeatedWithTheNextRefusal() throws {
        var phone = try Phone.signedIn()
        phone.post(.pushRefused("no"))
        try phone.fail(Phone.pushes + "/push-1/void")
        #expect(phone.kept?.registration?.push?.id == "push-1")
        phone.post(.pushRefused("no"))
        #expect(phone.asked[Phone.pushes + "/push-1/void"] == 2)
        try phone.answer(Phone.pushes + "/push-1/void", 404)
        #expect(phone.kept?.registration?.push == nil, "the backend does not know it either")
    }

    @Test func backendWithoutBrokerIsAskedRarely() throws {
        var phone = try Phone.signedIn(Phone.device(["push_registration": .null]))
        var attempts = 0
        let end = phone.now + Self.day
        while try wait(&phone, for: Phone.pushes, upTo: end - phone.now) != nil {
            attempts += 1
            try phone.answer(Phone.pushes, 503, ["error": "no_broker"])
        }
        #expect((8...16).contains(attempts), "\(attempts) in a day")
    }

    static let pushes: [(String, JSONValue?, BackendParseFault.Problem)] = [
        ("id", nil, .missing), ("id", "a/../b c", .characters),
        ("id", .string(String(repeating: "i", count: 65)), .tooLong),
        ("host", nil, .missing), ("host", 7, .wrongType), ("host", "a b", .characters), ("port", 0, .outOfRange),
        ("port", 65_536, .outOfRange), ("port", "8883", .wrongType), ("topic", nil, .missing),
        ("topic", "phones/#", .characters), ("topic", "phones/+/x", .characters), ("presence_topic", "#", .characters),
        ("username", 7, .wrongType), ("password", "a\u{0}b", .characters), ("renew_after", -1, .outOfRange),
        ("renew_after", "7", .wrongType), ("client_id", "", .empty),
    ]

    @Test(arguments: pushes) func invalidRegistrationIsNamed(
        _ key: String, _ value: JSONValue?, _ problem: BackendParseFault.Problem
    ) throws {
        var phone = try Phone.signedIn(Phone.device(["push_registration": .null]))
        _ = try wait(&phone, for: Phone.pushes, upTo: Self.day)
        phone.clear()
        try phone.answer(Phone.pushes, 201, Phone.push("push-2", [key: value]))
        #expect(phone.notices == [.pushNotRegistered(.parse(.init(key, problem)))])
    }

    @Test func phoneWithoutCallerInfoRegistersForNone() throws {
        var phone = try Phone.restored(Phone.signedIn(Phone.device(["push_registration": .null])).kept) {
            $0.usesPush = false
        }
        #expect(try wait(&phone, for: Phone.pushes, upTo: Self.day) == nil)
    }
}

extension BackendNotice {
    fileprivate var isAboutCredentials: Bool {
        switch self {
        case .credentialsRenewed, .credentialsNotRenewed, .credentialsExpiring: true
        default: false
        }
    }
}
