import PhoneCore

/// The requests of methods with several parameters. The caller has already checked the parameters' names.
extension Request {
    /// The longest target. The machine decides what can be dialled.
    static let maximumTargetLength = 512
    static let maximumDigits = 64
    /// The longest name or number to show to a far end, in bytes.
    static let longestParty = 128
    static let maximumOrganizationLength = 256
    static let maximumFileLength = 1_024

    static func dial(_ params: RPCParams) throws(RPCError) -> Request {
        let target = try params.text("target", limit: maximumTargetLength)
        return .dial(target, account: try params.account(), presentation: try presentation(params))
    }

    private static func presentation(_ params: RPCParams) throws(RPCError) -> CallPresentation? {
        let shown = CallPresentation(
            callerName: try params.optionalShownText("callerName", limit: longestParty),
            callerNumber: try params.optionalShownText("callerNumber", limit: longestParty),
            headers: try params.headers("headers"))
        return shown == CallPresentation() ? nil : shown
    }

    static func setHold(_ params: RPCParams) throws(RPCError) -> Request {
        let call = try params.call()
        return try params.flag("on") ? .hold(call) : .resume(call)
    }

    static func dtmf(_ params: RPCParams) throws(RPCError) -> Request {
        let digits = try params.text("digits", limit: maximumDigits)
        let elements = digits.compactMap { $0.isASCII ? DTMFElement($0) : nil }
        guard !elements.isEmpty, elements.count == digits.count else {
            throw .invalidParams("digits must be 0-9 * # A-D, or a comma for a pause")
        }
        return .dtmf(try params.call(), elements)
    }

    /// A blind transfer to the target `to`, or an attended transfer to the far end of the call `toCall`.
    static func transfer(_ params: RPCParams) throws(RPCError) -> Request {
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

    static func pickUp(_ params: RPCParams) throws(RPCError) -> Request {
        let target = try params.text("target", limit: maximumTargetLength)
        return .pickUp(target, account: try params.account())
    }

    static func startPlayback(_ params: RPCParams) throws(RPCError) -> Request {
        return .startPlayback(file: try params.text("file", limit: maximumFileLength), try params.call())
    }

    static func volume(_ params: RPCParams) throws(RPCError) -> Request {
        let kind: VolumeKind = try params.choice("kind")
        return .volume(kind, Int(try params.integer("level", in: 0...Int64(PhoneSettings.loudest))))
    }

    static func relay(_ params: RPCParams) throws(RPCError) -> Request {
        let number = UInt8(try params.integer("number", in: 1...255))
        return .relay(number, try params.choice("order", [("on", .on), ("off", .off), ("pulse", .pulse)]))
    }

    static func switchOrganization(_ params: RPCParams) throws(RPCError) -> Request {
        let organization = try params.text("organization", limit: maximumOrganizationLength)
        guard !organization.isEmpty else { throw .invalidParams("organization must not be empty") }
        return .switchOrganisation(OrganisationID(organization))
    }
}
