import Base

/// Rate limits for what a line accepts and reports from any source.
struct AdmissionLimits: Sendable {
    var newCalls = RateLimit(burst: 10, interval: .milliseconds(500))
    /// Reports of refused calls: from anyone, and from the account's own server, whose callers a person may know.
    var refusals = RateLimit(burst: 10, interval: .seconds(1))
    var ownRefusals = RateLimit(burst: 50, interval: .milliseconds(200))
    /// Digits by INFO.
    var dtmf = RateLimit(burst: 20, interval: .milliseconds(50))
    /// Reports of messages from unknown sources. There are too many such sources to report every message.
    var strangers = RateLimit(burst: 10, interval: .seconds(30))
    /// Reports of dropped messages from known sources.
    var dropped = RateLimit(burst: 5, interval: .seconds(30))
    /// Reports that somebody offered less security than the account's server has shown.
    var breaches = RateLimit(burst: 3, interval: .seconds(60))
    /// Answers to STUN. Each of them is at most two and a half times as long as its request.
    var stun = RateLimit(burst: 20, interval: .milliseconds(50))
}
