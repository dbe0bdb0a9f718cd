import Telephony

/// Limits on what a server can make a session keep or do. Anything beyond is dropped, and counted in `VertoCensus`.
public enum VertoLimits {
    /// The longest frame that is read, in bytes.
    public static let frameBytes = 65_536
    /// Calls at the same time, in both directions.
    public static let calls = 8
    /// Candidates of one call that are passed on, and our candidates that wait for the answer.
    public static let candidates = 100
    public static let candidateBytes = 512
    /// Headers of one call.
    public static let headers = CallPresentation.headerLimit
    /// Names and numbers of people.
    public static let nameBytes = 128
    /// Ids of calls, requests and sessions.
    public static let idBytes = 128
    /// `voice_sdk_id`, which names the server's instance.
    public static let voiceIDBytes = 512
    public static let causeBytes = 64
    /// The text of a server's error.
    public static let messageBytes = 256
    /// A text to show. A longer one is dropped.
    public static let textBytes = 2_000
    /// Data that an application attached to a call.
    public static let clientStateBytes = 4_096
    /// Digits of one call that wait to be sent.
    public static let digits = 64
    /// Requests without a waiting user that are remembered until their answers come.
    static let unwatchedRequests = 64
    /// Ended calls for which the server may still need a BYE.
    static let pastCalls = 32
}

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

/// Counts of the frames that a session has received, sent and dropped.
public struct VertoCensus: Equatable, Sendable {
    public internal(set) var framesHeard = 0
    public internal(set) var framesSent = 0
    /// Requested connections.
    public internal(set) var connections = 0
    private var drops: [VertoDrop: Int] = [:]

    /// How often something was dropped for this reason.
    public internal(set) subscript(reason: VertoDrop) -> Int {
        get { drops[reason] ?? 0 }
        set { drops[reason] = newValue }
    }
}
