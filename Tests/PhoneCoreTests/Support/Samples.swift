import Base
import PhoneCore

/// Names that tests share.
enum Sample {
    /// The cradle hangs up at once.
    static let policy = {
        var policy = PhonePolicy()
        policy.ringingOutTime = .seconds(30)
        policy.followsTransfers = true
        policy.transferTargets = try? DialPlan(patterns: ["555."], emergency: [])
        return policy
    }()
    static let caller = Caller(
        number: "+15550100", displayName: "Ada", account: .direct, vouched: AssertedNumber("+15550100"))
    static let code = RelayCode([.one, .one, .one, .one], callers: [ListedCaller("+15550100")])
    static let home = NetworkPath(.wired, addresses: ["192.0.2.9"])
    static let first = CallID(.line(.direct), 1)
    static let second = CallID(.line(.direct), 2)
    static let third = CallID(.line(.direct), 3)
    static let dialled = CallID(.phone, 1)
    static let endpoint = MediaEndpoint(port: 40_000)
    static let ice = ICEDescription(
        userFragment: "abcd", password: SecretBytes([1]),
        candidates: ["1 1 UDP 2130706431 192.0.2.9 40000 typ host"])
    /// Others may follow.
    static let trickling = MediaEndpoint(port: 40_000, ice: LocalICE(ice, isOffered: true, isIncomplete: true))
    static let plan = plan()
    static let heldPlan = plan(sends: false, receives: false)

    static func plan(
        port: UInt16 = 5_000, sends: Bool = true, receives: Bool = true, events: Bool = true
    ) -> NegotiatedMedia {
        NegotiatedMedia(
            remote: MediaAddress(host: "192.0.2.1", port: port),
            codec: NegotiatedMedia.Codec(
                sendPayloadType: 96, receivePayloadType: 96, packetMilliseconds: 20, farEndUsesFEC: true),
            telephoneEvents: events
                ? NegotiatedMedia.TelephoneEvents(sendPayloadType: 101, receivePayloadType: 101, clockRate: 48_000)
                : nil,
            sends: sends, receives: receives)
    }

    /// Groups of pages, the one with the highest priority first.
    static let groups: [PagingPolicy.Group] = [
        .init(label: "fire", interruptsCalls: true, isEmergency: true),
        .init(label: "yard", interruptsCalls: true, longestSent: .seconds(60)),
        .init(label: "hall", longestSent: .seconds(60)), .init(label: "canteen"),
    ]

    static let callers = [caller, Caller(number: "5550111", account: .direct), Caller(number: "", account: .direct)]
    static let contact = Contact(name: "Ada Lovelace", number: "+15550100", ring: "ada")

    static let user = SignedInUser(subject: "sub-1", name: "Ada Lovelace", email: "ada@example.org")
    /// Valid for ten minutes from the start of a test.
    static let signInCode = SignInCode(
        code: "WDJB-MJHT", address: "https://id.example/device",
        completeAddress: "https://id.example/device?user_code=WDJB-MJHT", until: .zero + .seconds(600))

    static func context(_ id: String) -> OrganisationContext {
        OrganisationContext(
            account: .direct, organisation: Organisation(id: OrganisationID(id), name: "Org \(id)"),
            credentials: AccountCredentials(user: "user-\(id)", password: Redacted("password-\(id)")))
    }

    static func action(_ number: UInt64) -> ActionID { ActionID(.control, number) }
}
