import Base
import PhoneCore

/// The participants of every situation.
enum Cast {
    /// The defaults, and one of everything that a phone may have: a key that dials, a relay, an alarm, a longest call.
    static let policy = {
        var policy = PhonePolicy()
        policy.flash = FlashTimes()
        policy.mixesCalls = true
        policy.recordsCalls = true
        policy.hasBackend = true
        policy.playsFiles = true
        policy.paging = PagingPolicy(groups: [.init(label: "all", longestSent: .seconds(60))])
        policy.maximumCallTime = .seconds(600)
        policy.lineKeys = [.direct]
        policy.speedDials = [1: SpeedDial([number]), 2: SpeedDial(["5550166"], watched: .phone)]
        policy.pickupCodes = [.direct: "*8"]
        policy.voicemail = [.direct: "5550109"]
        policy.followsTransfers = true
        policy.relays = [1: RelayPolicy(code: RelayCode([.one, .two, .three, .four], callers: [ListedCaller(number)]))]
        policy.alarms = ["door": AlarmPolicy(SpeedDial([number]))]
        return policy
    }()

    /// The same, with neither flash nor relay nor alarm.
    static let otherPolicy = {
        var policy = Cast.policy
        (policy.flash, policy.relays, policy.alarms) = (nil, [:], [:])
        return policy
    }()

    static let number = "+15550100"
    static let caller = Caller(
        number: number, displayName: "Ada", account: .direct, vouched: AssertedNumber(number))
    static let anotherCaller = Caller(number: "+15550111", displayName: "Grace", account: .direct)
    static func successor(of leg: CallID) -> Caller {
        Caller(number: "+15550155", displayName: "Linus", account: .direct, replaces: leg)
    }
    static let contact = Contact(name: "Ada Lovelace", number: number)

    static let offered = CallID(.line(.direct), 1)
    static let offeredNext = CallID(.line(.direct), 2)

    static let endpoint = MediaEndpoint(port: 40_000)
    static let plan = plan(sends: true)
    static let heldPlan = plan(sends: false)

    static let home = NetworkPath(.wired, addresses: ["192.0.2.9"])
    static let away = NetworkPath(.wifi, addresses: ["198.51.100.9"])
    static let elsewhere = NetworkPath(.cellular, addresses: ["203.0.113.9"])

    static let ownOrganisation = context("own")
    static let otherOrganisation = context("other")
    static let renewed = {
        var renewed = ownOrganisation
        renewed.credentials.password = Redacted("newer")
        return renewed
    }()
    static let user = SignedInUser(subject: "sub-1", name: "Ada Lovelace", email: "ada@example.org")
    static let code = SignInCode(
        code: "WDJB-MJHT", address: "https://id.example/device", until: .zero + .seconds(86_400))

    static let memory = {
        var memory = PhoneMemory()
        memory.context = ownOrganisation
        memory.unseenMissedCalls = 1
        memory.lastDialled = number
        return memory
    }()

    /// A memory with another volume than the phone has.
    static let laterMemory = {
        var later = memory
        later.settings.callVolume = 3
        return later
    }()

    static func info(organisation: Organisation? = nil, sent: Instant) -> CallerInfo {
        CallerInfo(number: number, name: "Ada L.", organisation: organisation, sent: sent)
    }

    private static func plan(sends: Bool) -> NegotiatedMedia {
        NegotiatedMedia(
            remote: MediaAddress(host: "192.0.2.1", port: 5_000),
            codec: NegotiatedMedia.Codec(
                sendPayloadType: 96, receivePayloadType: 96, packetMilliseconds: 20, farEndUsesFEC: true),
            telephoneEvents: NegotiatedMedia.TelephoneEvents(
                sendPayloadType: 101, receivePayloadType: 101, clockRate: 48_000),
            sends: sends, receives: sends)
    }

    private static func context(_ name: String) -> OrganisationContext {
        OrganisationContext(
            account: .direct, organisation: Organisation(id: OrganisationID(name), name: name),
            credentials: AccountCredentials(user: name, password: Redacted(name)))
    }
}
