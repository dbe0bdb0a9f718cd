import Base
import PhoneCore

/// Values for the tables. `personal` holds everything that could identify a caller or callee.
enum Sample {
    static let number = "+442079461234"
    static let otherNumber = "0301235789"
    static let name = "Ada Lovelace"
    static let host = "192.168.178.23"
    static let uri = "sip:ada.lovelace@pbx.example.org:5070"
    static let text = "quite private"
    static let personal = [
        "2079461234", "7946", "0301235789", "1235789", "Ada", "Lovelace", "ada.l", "192.168", "178.23", "pbx",
        "example", "private", "acme", "Acme", "door", "fd00",
    ]

    static let presentation = CallPresentation(
        callerName: name, callerNumber: number, headers: [CallHeader("X-Ticket", text)].compactMap(\.self))

    static let incoming = CallID(.line(AccountID(1)), 7)
    static let outgoing = CallID(.phone, 3)
    static let account = AccountID(2)
    static let at = Instant(nanoseconds: 1_234_567_890_123)
    static let endpoint = MediaEndpoint(port: 40_000)
    static let candidates = ICEDescription(
        userFragment: "abcd", password: .pseudonym(1),
        candidates: ["1 1 UDP 2130706431 192.0.2.1 40000 typ host"])
    static let reachableEndpoint = MediaEndpoint(
        port: 40_000,
        ice: LocalICE(candidates, isOffered: true, onlyAddress: MediaAddress(host: "192.0.2.1", port: 40_000)),
        source: MediaSource(ssrc: .max, canonicalName: "5a"))
    static let panelAction = ActionID(.panel, 4)
    static let controlAction = ActionID(.control, .max)
    static let question = TransferQuestion(cause: .transfer, target: number, until: at)
    static let organisation = Organisation(id: OrganisationID("acme-1"), name: "Acme", slug: "acme")

    /// The secrets are the pseudonyms of a recording, so they compare equal after reading.
    static let plan = NegotiatedMedia(
        remote: MediaAddress(host: host, port: 50_000), remoteControl: MediaAddress(host: "fd00::1", port: 50_001),
        codec: .init(
            sendPayloadType: 111, receivePayloadType: 96, packetMilliseconds: 20, maximumBitrate: 32_000,
            farEndUsesFEC: true),
        telephoneEvents: .init(sendPayloadType: 101, receivePayloadType: 102, clockRate: 48_000),
        protection: .sdes(.init(suite: .aes128Tag32, sendKey: .pseudonym(1), receiveKey: .pseudonym(2))),
        sends: true, receives: false)

    static let policy = {
        var policy = PhonePolicy()
        (policy.blocked, policy.voicemail) = ([number, name], [account: otherNumber])
        policy.relays = [1: RelayPolicy(code: RelayCode([.one, .two, .three, .four], callers: [ListedCaller(number)]))]
        policy.alarms = ["door": AlarmPolicy(SpeedDial([uri]))]
        return policy
    }()

    static let caller = Caller(
        number: number, displayName: name, isWithheld: true, divertedBy: otherNumber, called: number, account: account,
        ids: ["acme-7", "x"], ring: text, wantsAutoAnswer: true,
        verification: .failed, headers: presentation.headers, arrived: at)

    static let info = CallerInfo(
        ids: ["acme-7"], number: otherNumber, name: name, avatar: "https://example.org/ada.png",
        channel: otherNumber, organisation: organisation, account: account, ticket: .max, sent: at)

    static let context = OrganisationContext(
        account: account, organisation: organisation,
        credentials: AccountCredentials(
            user: "ada.lovelace", password: Redacted(String.pseudonym(1)), callerName: name, callerNumber: number,
            loginToken: Redacted(String.pseudonym(2)),
            server: AccountServer(kind: .sip, place: "sip.example.org:5061", transport: .tls)))

    static let user = SignedInUser(subject: "acme-7", name: name, email: "ada@example.org")
    static let signInCode = SignInCode(
        code: "ACME-ADAL", address: "https://example.org/device",
        completeAddress: "https://example.org/device?user_code=ACME-ADAL", until: at)
    static let knownOrganisation = KnownOrganisation(organisation, channel: number, isDefault: true, isCurrent: true)

    static let quality = VoiceQuality(
        opinionScore: 4.1, jitterMilliseconds: 0.1 + 0.2, roundTripMilliseconds: nil, lossPercent: 1e-9,
        concealedPercent: 0, bufferMilliseconds: 60)

    static let summary = CallSummary(
        call: incoming, direction: .incoming, phase: .onHold, number: number, name: name,
        avatar: "https://example.org/ada.png", badge: "Acme", verification: CallerVerdict.passed,
        isWithheld: true, divertedBy: otherNumber, called: number, headers: presentation.headers, account: account,
        heldHere: true, heldThere: false, started: at, answered: nil, farEndRings: true, impaired: true,
        announcedByInterface: true)

    private typealias CallerVerdict = CallerVerification

    static let persisted = PersistedCall(
        call: "in-1.7", direction: .incoming, number: number, name: name, account: account, started: at, answered: at,
        memo: "Call-ID: acme@pbx.example.org")

    static let ringing = RingingCall(
        call: "in-1.7", number: number, name: name, called: otherNumber, organisation: organisation, account: account,
        started: at)

    static let history = HistoryEntry(
        direction: .outgoing, number: otherNumber, name: name, called: number, organisation: "Acme", account: account,
        started: at, answered: at, ended: at, reason: .rejected(486), missed: .rejectedBusy, quality: quality)

    static let contact = Contact(name: name, number: number, ring: text, isBlocked: true)

    static let shownKey = ShownFingerprint(fingerprint: [0, 127, 255], words: "lusab babad gutih tugad")
    static let peerKey = PeerFingerprint(.init(account: account, number: number), fingerprint: [0, 127, 255])

    static let memory: PhoneMemory = {
        var memory = PhoneMemory()
        memory.settings.doNotDisturb = true
        memory.contacts = [contact]
        memory.unseenMissedCalls = 3
        memory.missed = [
            MissedCall(
                call: CallID(.past, 7), number: number, name: name, organisation: "Acme", account: account, at: at,
                reason: .interrupted)
        ]
        memory.lastDialled = otherNumber
        memory.peerKeys = [peerKey]
        memory.context = context
        return memory
    }()

    static let display = DisplayContent(title: name, detail: text, since: .zero + .seconds(3), notes: [number])
    static let snapshot = PhoneSnapshot(
        calls: [summary], hook: .offHook, digits: "0301235789", muted: true, route: .bluetooth, tone: .stutterDial,
        registrations: [account: .failed(text), .direct: .notNeeded],
        lamps: [.account(3): .flutter, .hold: .slowBlink],
        ringing: true, settings: memory.settings,
        missed: [MissedCall(call: incoming, number: number, name: name, at: at, reason: .noOffer)], missedCount: 4,
        messagesWaiting: 5, messages: [account: 5], network: .reconnecting, organisation: organisation,
        switchingTo: organisation.id, signIn: .waiting(signInCode), organisations: [knownOrganisation],
        credentialsExpireInDays: 3, panel: PanelStates(inputs: ["door"], relays: [2], alarms: ["door"]),
        conference: true, interrupted: true)

    static let elements: [DTMFElement] = [.symbol(.nine), .pause, .symbol(.pound), .symbol(.d)]
}
