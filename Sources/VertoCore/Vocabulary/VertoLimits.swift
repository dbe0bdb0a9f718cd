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
