/// The ICE part of the far end's session description (RFC 8839 §4.2).
public struct RemoteDescription: Equatable, Sendable {
    public let credentials: ICECredentials
    /// Whether it only answers checks (RFC 8445 §2.5, `a=ice-lite`).
    public let isLite: Bool
    public let candidates: [RemoteCandidate]
    /// Whether no more candidates will come: it does not trickle, or has sent `end-of-candidates`.
    public let isComplete: Bool

    public init(
        credentials: ICECredentials, isLite: Bool = false, candidates: [RemoteCandidate] = [], isComplete: Bool
    ) {
        (self.credentials, self.isLite, self.candidates) = (credentials, isLite, candidates)
        self.isComplete = isComplete
    }
}
