import PhoneCore

extension Request {
    /// Longest target that is passed to the machine, which decides what can be dialled.
    static let maximumTargetLength = 512
    static let maximumDigits = 64
    static let maximumOrganizationLength = 256
    static let maximumFileLength = 1_024

    /// The request that a method stands for; nil when the phone itself has no such method.
    /// - Parameter labels: The accounts' labels, for people.
    init?(method: String, _ params: RPCParams, labels: [AccountID: String]) throws(RPCError) {
        switch method {
        // A consultation is a call beside the one that goes on hold for it.
        case "call", "dial", "consult": self = try .dial(params, labels)
        case "answer": self = .answer(try params.onlyCall())
        case "hangup", "decline": self = .hangUp(try params.onlyCall())
        case "hold": self = .hold(try params.onlyCall())
        case "resume": self = .resume(try params.onlyCall())
        case "setHold": self = try .setHold(params)
        case "toggleHold": self = .toggleHold(try params.onlyCall())
        case "setMute": self = .mute(try params.onlyFlag())
        case "toggleMute": self = try params.nothing(.toggleMute)
        case "sendDTMF": self = try .dtmf(params)
        case "setRoute":
            try params.allow("route")
            self = .route(try params.choice("route"))
        case "setSpeaker": self = .route(try params.onlyFlag() ? .speaker : .handset)
        case "toggleSpeaker": self = try params.nothing(.toggleSpeaker)
        case "transfer": self = try .transfer(params)
        case "park": self = try .park(params)
        case "pickup": self = try .pickUp(params, labels)
        case "acceptTransfer": self = .acceptTransfer(try params.onlyCall())
        case "declineTransfer": self = .declineTransfer(try params.onlyCall())
        case "conference": self = try params.nothing(.conference)
        case "startRecording": self = .startRecording(try params.onlyCall())
        case "stopRecording": self = try params.nothing(.stopRecording)
        case "startPlayback": self = try .startPlayback(params)
        case "stopPlayback": self = try params.nothing(.stopPlayback)
        case "silenceRinger": self = try params.nothing(.silenceRinger)
        case "setDoNotDisturb": self = .doNotDisturb(try params.onlyFlag())
        case "setVolume": self = try .volume(params)
        case "relay": self = try .relay(params)
        case "switchOrganization": self = try .switchOrganization(params)
        case "clearMissedCalls": self = .clearMissedCalls(try params.onlyCall())
        default: return nil
        }
    }

    private static func dial(_ params: RPCParams, _ labels: [AccountID: String]) throws(RPCError) -> Request {
        try params.allow("target", "account")
        let target = try params.text("target", limit: maximumTargetLength)
        return .dial(target, account: try params.account(labels))
    }

    private static func setHold(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("on", "call")
        let call = try params.call()
        return try params.flag("on") ? .hold(call) : .resume(call)
    }

    private static func dtmf(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("digits", "call")
        let digits = try params.text("digits", limit: maximumDigits)
        let elements = digits.compactMap { $0.isASCII ? DTMFElement($0) : nil }
        guard !elements.isEmpty, elements.count == digits.count else {
            throw .invalidParams("digits must be some of 0-9 * # A-D, and a comma for a pause")
        }
        return .dtmf(try params.call(), elements)
    }

    /// A blind transfer to the target `to`, or a transfer to the far end of the call `toCall`.
    private static func transfer(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("call", "to", "toCall")
        guard params.has("to") != params.has("toCall") else {
            throw .invalidParams("a transfer takes either to or toCall")
        }
        guard params.has("toCall") else {
            return .transfer(try params.call(), to: try params.text("to", limit: maximumTargetLength))
        }
        let (call, other) = (try params.call("call"), try params.call("toCall"))
        guard call != other else { throw .invalidParams("call and toCall must be two calls") }
        return .connect(call, other)
    }

    /// A blind transfer to a place of the server's where calls wait (an orbit).
    private static func park(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("call", "orbit")
        return .transfer(try params.call(), to: try params.text("orbit", limit: maximumTargetLength))
    }

    private static func pickUp(_ params: RPCParams, _ labels: [AccountID: String]) throws(RPCError) -> Request {
        try params.allow("target", "account")
        let target = try params.text("target", limit: maximumTargetLength)
        return .pickUp(target, account: try params.account(labels))
    }

    private static func startPlayback(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("file", "call")
        return .startPlayback(file: try params.text("file", limit: maximumFileLength), try params.call())
    }

    private static func volume(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("kind", "level")
        let kind: VolumeKind = try params.choice("kind")
        return .volume(kind, Int(try params.integer("level", in: 0...Int64(PhoneSettings.loudest))))
    }

    private static func relay(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("number", "order")
        let number = UInt8(try params.integer("number", in: 1...255))
        return .relay(number, try params.choice("order", [("on", .on), ("off", .off), ("pulse", .pulse)]))
    }

    private static func switchOrganization(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("organization")
        let organization = try params.text("organization", limit: maximumOrganizationLength)
        guard !organization.isEmpty else { throw .invalidParams("organization must not be empty") }
        return .switchOrganisation(OrganisationID(organization))
    }
}

extension RPCParams {
    fileprivate func nothing(_ request: Request) throws(RPCError) -> Request {
        try allow()
        return request
    }

    fileprivate func onlyCall() throws(RPCError) -> CallID? {
        try allow("call")
        return try call()
    }

    fileprivate func onlyFlag() throws(RPCError) -> Bool {
        try allow("on")
        return try flag("on")
    }
}
