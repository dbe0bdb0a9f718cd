/// One ICE candidate, as it is trickled (RFC 8838).
public struct VertoCandidate: Equatable, Sendable {
    /// The value of `a=candidate`, with or without the word `candidate:`.
    public let candidate: String
    /// The `a=mid` of its medium.
    public let mid: String?
    /// The place of its medium in the description, counted from 0.
    public let lineIndex: Int?

    public init(_ candidate: String, mid: String?, lineIndex: Int?) {
        (self.candidate, self.mid, self.lineIndex) = (candidate, mid, lineIndex)
    }
}
