import Telephony

/// What a call of ours begins with.
public struct VertoInvitation: Equatable, Sendable {
    /// A number, or a name that the server knows.
    public var destination: String
    /// The offer. Where candidates do not follow, it holds them all.
    public var sdp: String
    /// What the far end is shown. Nil: the server decides.
    public var caller: VertoParty
    /// The first `VertoLimits.headers` go out.
    public var headers: [CallHeader]
    /// Whether candidates follow; without effect where the dialect cannot.
    public var isTrickled: Bool

    public init(
        _ destination: String, sdp: String, caller: VertoParty = VertoParty(), headers: [CallHeader] = [],
        isTrickled: Bool = false
    ) {
        (self.destination, self.sdp, self.caller) = (destination, sdp, caller)
        (self.headers, self.isTrickled) = (headers, isTrickled)
    }
}
