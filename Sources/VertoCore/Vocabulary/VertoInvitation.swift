import Telephony

/// The content of our invitation.
public struct VertoInvitation: Equatable, Sendable {
    /// A number, or a name that the server knows.
    public var destination: String
    /// The offer. If candidates do not follow, it holds them all.
    public var sdp: String
    /// The identity for the far end. Nil: the server decides.
    public var caller: VertoParty
    /// Only the first `VertoLimits.headers` are sent.
    public var headers: [CallHeader]
    /// Whether candidates follow. Without effect if the dialect cannot do that.
    public var isTrickled: Bool

    public init(
        _ destination: String, sdp: String, caller: VertoParty = VertoParty(), headers: [CallHeader] = [],
        isTrickled: Bool = false
    ) {
        (self.destination, self.sdp, self.caller) = (destination, sdp, caller)
        (self.headers, self.isTrickled) = (headers, isTrickled)
    }
}
