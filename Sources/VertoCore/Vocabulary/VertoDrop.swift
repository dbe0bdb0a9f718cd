/// Why a frame, or a part of it, was ignored.
public enum VertoDrop: String, CaseIterable, Error, Equatable, Sendable {
    /// A measurement for FreeSWITCH's web pages, which no telephone needs. Not a fault.
    case speedTest
    case tooLong, notJSON, notAnObject
    /// Neither a request nor an answer.
    case noMessage
    /// An id that is neither a whole number nor a short text.
    case badID
    case wrongType
    /// It came over an earlier connection.
    case staleSocket
    /// It came before the server had accepted the login.
    case notLoggedIn
    case unknownMethod
    /// An answer that matches none of our requests.
    case unknownID
    /// An answer without the requested content.
    case badResult
    case noCallID, unknownCall
    /// It belongs to a call that has ended here.
    case endedCall
    case duplicateCall
    case noRoom
    case noDescription
    /// A text message without a text.
    case noText
    /// It does not fit the state of the call.
    case wrongPhase
    /// The call has already received it.
    case repeated
    case tooManyCandidates, badCandidate
    case tooManyHeaders, badHeader
}
