import PhoneCore

extension Request {
    /// Longest target that is handed to the machine, which decides what can be dialled.
    static let maximumTargetLength = 512
    static let maximumDigits = 64

    /// The request that a method means; nil when the phone itself knows no such method.
    init?(method: String, _ params: RPCParams) throws(RPCError) {
        switch method {
        case "call", "dial": self = try .dial(params)
        case "answer": self = .answer(try params.onlyCall())
        case "hangup", "decline": self = .hangUp(try params.onlyCall())
        case "hold": self = .hold(try params.onlyCall())
        case "resume": self = .resume(try params.onlyCall())
        case "setHold":
            try params.allow("on", "call")
            let call = try params.call()
            self = try params.flag("on") ? .hold(call) : .resume(call)
        case "setMute":
            try params.allow("on")
            self = .mute(try params.flag("on"))
        case "sendDTMF": self = try .dtmf(params)
        case "setRoute": self = try .route(params)
        case "clearMissedCalls":
            try params.allow()
            self = .clearMissedCalls
        case "getSnapshot":
            try params.allow()
            self = .status
        default: return nil
        }
    }

    private static func dial(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("target", "account")
        let target = try params.text("target", limit: maximumTargetLength)
        let account = try params.integer("account", in: 0...Int64.max)
        return .dial(target, account: account.map { AccountID($0) })
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

    private static func route(_ params: RPCParams) throws(RPCError) -> Request {
        try params.allow("route")
        guard let route = Route(rawValue: try params.text("route", limit: 32)) else {
            let known = Route.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParams("route must be one of \(known)")
        }
        return .route(route)
    }
}

extension RPCParams {
    fileprivate func onlyCall() throws(RPCError) -> CallID? {
        try allow("call")
        return try call()
    }
}
