import Telephony

/// What a server can make a session keep or do. What is beyond is dropped, and counted in `VertoCensus`.
public enum VertoLimits {
    /// The longest frame that is read, in bytes.
    public static let frameBytes = 65_536
    /// Calls at a time, of both directions.
    public static let calls = 8
    /// Candidates of one call that are handed up, and those of ours that wait for the answer.
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
    /// A server's words for an error.
    public static let messageBytes = 256
    /// A text to show. A longer one is dropped.
    public static let textBytes = 2_000
    /// What an application attached to a call.
    public static let clientStateBytes = 4_096
    /// Digits of one call that wait to be sent.
    public static let digits = 64
    /// Requests whose answers nobody waits for, and which are known until they come.
    static let unwatchedRequests = 64
    /// Calls whose end the server may still have to be told.
    static let pastCalls = 32
}
