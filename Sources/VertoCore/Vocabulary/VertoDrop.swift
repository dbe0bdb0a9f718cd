/// Why a frame, or a part of it, was not acted on.
public enum VertoDrop: String, CaseIterable, Error, Equatable, Sendable {
    /// A measurement of FreeSWITCH's pages, which no telephone needs. No fault.
    case speedTest
    case tooLong, notJSON, notAnObject
    /// Neither a request nor an answer.
    case noMessage
    /// An id that is neither a whole number nor a short text.
    case badID
    case wrongType
    /// It came over a connection before this one.
    case staleSocket
    /// Said before the server had accepted the login.
    case notLoggedIn
    case unknownMethod
    /// An answer to no request of ours.
    case unknownID
    /// An answer without what it was asked for.
    case badResult
    case noCallID, unknownCall
    /// It is about a call that has ended here.
    case endedCall
    case duplicateCall
    case noRoom
    case noDescription
    /// A text message without a text.
    case noText
    /// What the call cannot be told in its state.
    case wrongPhase
    /// What the call has been told before.
    case repeated
    case tooManyCandidates, badCandidate
    case tooManyHeaders, badHeader
}
