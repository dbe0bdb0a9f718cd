import PhoneCore

extension Request {
    /// The longest target. The machine decides what can be dialled.
    static let maximumTargetLength = 512
    static let maximumDigits = 64
    /// The longest name or number to show to a far end, in bytes.
    static let longestParty = 128
    static let maximumOrganizationLength = 256
    static let maximumFileLength = 1_024

    /// The request for a method; nil if the phone itself has no such method. The caller has already checked the
    /// parameters' names.
    /// - Parameter labels: The accounts' labels, for people.
    init?(method: MethodName, _ params: RPCParams, labels: [AccountID: String]) throws(RPCError) {
        switch method {
        // A consultation is a second call; the present one goes on hold for it.
        case .call, .dial, .consult: self = try .dial(params, labels)
        case .answer: self = .answer(try params.call())
        case .hangup: self = .hangUp(try params.call())
        case .decline: self = .decline(try params.call())
        case .hold: self = .hold(try params.call())
        case .resume: self = .resume(try params.call())
        case .setHold: self = try .setHold(params)
        case .toggleHold: self = .toggleHold(try params.call())
        case .setMute: self = .mute(try params.flag("on"))
        case .toggleMute: self = .toggleMute
        case .sendDTMF: self = try .dtmf(params)
        case .setRoute: self = .route(try params.choice("route"))
        case .setSpeaker: self = .speaker(try params.flag("on"))
        case .toggleSpeaker: self = .toggleSpeaker
        case .transfer: self = try .transfer(params)
        case .park: self = .transfer(try params.call(), to: try params.text("orbit", limit: Self.maximumTargetLength))
        case .pickup: self = try .pickUp(params, labels)
        case .acceptTransfer: self = .acceptTransfer(try params.call())
        case .declineTransfer: self = .declineTransfer(try params.call())
        case .conference: self = .conference
        case .compareWords: self = .compareWords(try params.call(), agree: try params.flag("agree"))
        case .startRecording: self = .startRecording(try params.call())
        case .stopRecording: self = .stopRecording
        case .startPlayback: self = try .startPlayback(params)
        case .stopPlayback: self = .stopPlayback
        case .startPage:
            self = .startPage(group: UInt8(try params.integer("group", in: 1...Int64(Key.pages.upperBound))))
        case .stopPage: self = .stopPage
        case .testSound: self = .testSound(params.has("route") ? try params.choice("route") : nil)
        case .silenceRinger: self = .silenceRinger
        case .setDoNotDisturb: self = .doNotDisturb(try params.flag("on"))
        case .setVolume: self = try .volume(params)
        case .relay: self = try .relay(params)
        case .switchOrganization: self = try .switchOrganization(params)
        case .getOrganizations: self = .organisations
        case .signIn: self = .signIn
        case .cancelSignIn: self = .cancelSignIn
        case .signOut: self = .signOut
        case .connect: self = .connectAccounts
        case .disconnect: self = .disconnectAccounts
        case .reconnect: self = .reconnect
        case .reset: self = .reset
        case .clearMissedCalls: self = .clearMissedCalls(try params.call())
        case .getSnapshot, .getMissedCalls, .getNetworkStatus, .getConnectionState, .getPendingIncomingCall,
            .getDisplay, .getDeviceID, .getPushToken, .getBootTimeline, .getPanel, .getSignals, .getStatistics,
            .getMetrics, .subscribe, .cancel, .ping, .discover, .getHistory, .getContacts,
            .addContact, .changeContact, .removeContact, .importContacts, .exportContacts, .getTokens, .addToken,
            .removeToken, .getSetup, .tryDevice, .tryAccount, .addAccount, .changeAccount, .removeAccount, .planSetup,
            .writeSetup, .restart, .reload,
            .liftHook, .replaceHook, .pressKey, .setLine:
            return nil
        }
    }

    private static func dial(_ params: RPCParams, _ labels: [AccountID: String]) throws(RPCError) -> Request {
        let target = try params.text("target", limit: maximumTargetLength)
        return .dial(target, account: try params.account(labels), presentation: try presentation(params))
    }

    private static func presentation(_ params: RPCParams) throws(RPCError) -> CallPresentation? {
        let shown = CallPresentation(
            callerName: try params.optionalShownText("callerName", limit: longestParty),
            callerNumber: try params.optionalShownText("callerNumber", limit: longestParty),
            headers: try params.headers("headers"))
        return shown == CallPresentation() ? nil : shown
    }

    private static func setHold(_ params: RPCParams) throws(RPCError) -> Request {
        let call = try params.call()
        return try params.flag("on") ? .hold(call) : .resume(call)
    }

    private static func dtmf(_ params: RPCParams) throws(RPCError) -> Request {
        let digits = try params.text("digits", limit: maximumDigits)
        let elements = digits.compactMap { $0.isASCII ? DTMFElement($0) : nil }
        guard !elements.isEmpty, elements.count == digits.count else {
            throw .invalidParams("digits must be 0-9 * # A-D, or a comma for a pause")
        }
        return .dtmf(try params.call(), elements)
    }

    /// A blind transfer to the target `to`, or an attended transfer to the far end of the call `toCall`.
    private static func transfer(_ params: RPCParams) throws(RPCError) -> Request {
        guard params.has("to") != params.has("toCall") else {
            throw .invalidParams("a transfer needs either to or toCall")
        }
        guard params.has("toCall") else {
            return .transfer(try params.call(), to: try params.text("to", limit: maximumTargetLength))
        }
        let (call, other) = (try params.call("call"), try params.call("toCall"))
        guard call != other else { throw .invalidParams("call and toCall must be different calls") }
        return .connect(call, other)
    }

    private static func pickUp(_ params: RPCParams, _ labels: [AccountID: String]) throws(RPCError) -> Request {
        let target = try params.text("target", limit: maximumTargetLength)
        return .pickUp(target, account: try params.account(labels))
    }

    private static func startPlayback(_ params: RPCParams) throws(RPCError) -> Request {
        return .startPlayback(file: try params.text("file", limit: maximumFileLength), try params.call())
    }

    private static func volume(_ params: RPCParams) throws(RPCError) -> Request {
        let kind: VolumeKind = try params.choice("kind")
        return .volume(kind, Int(try params.integer("level", in: 0...Int64(PhoneSettings.loudest))))
    }

    private static func relay(_ params: RPCParams) throws(RPCError) -> Request {
        let number = UInt8(try params.integer("number", in: 1...255))
        return .relay(number, try params.choice("order", [("on", .on), ("off", .off), ("pulse", .pulse)]))
    }

    private static func switchOrganization(_ params: RPCParams) throws(RPCError) -> Request {
        let organization = try params.text("organization", limit: maximumOrganizationLength)
        guard !organization.isEmpty else { throw .invalidParams("organization must not be empty") }
        return .switchOrganisation(OrganisationID(organization))
    }
}
