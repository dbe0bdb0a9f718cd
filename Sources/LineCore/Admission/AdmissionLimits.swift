import Base

/// How often a line accepts and reports what any source may send.
struct AdmissionLimits: Sendable {
    var newCalls = RateLimit(burst: 10, interval: .milliseconds(500))
    /// Refused calls that are reported: of anybody, and of the account's own server, whose callers a person may know.
    var refusals = RateLimit(burst: 10, interval: .seconds(1))
    var ownRefusals = RateLimit(burst: 50, interval: .milliseconds(200))
    /// Digits by INFO.
    var dtmf = RateLimit(burst: 20, interval: .milliseconds(50))
    /// Messages of unknown sources that are reported. There are too many such sources to report every message.
    var strangers = RateLimit(burst: 10, interval: .seconds(30))
    /// Messages of known sources that are reported because they were dropped.
    var dropped = RateLimit(burst: 5, interval: .seconds(30))
    /// Reports that somebody asked for less than what is known of the account's server.
    var breaches = RateLimit(burst: 3, interval: .seconds(60))
    /// Answers to STUN. Each of them is at most two and a half times as long as its request.
    var stun = RateLimit(burst: 20, interval: .milliseconds(50))
}
