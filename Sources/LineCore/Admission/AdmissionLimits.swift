import Base

/// How often a line takes and tells what anybody may send.
struct AdmissionLimits: Sendable {
    var newCalls = RateLimit(burst: 10, interval: .milliseconds(500))
    /// Refused calls that are told.
    var refusals = RateLimit(burst: 10, interval: .seconds(1))
    /// Digits by INFO.
    var dtmf = RateLimit(burst: 20, interval: .milliseconds(50))
    /// Strangers are many: of each one a person is told only while they are few.
    var strangers = RateLimit(burst: 10, interval: .seconds(30))
    /// Each answer to STUN is at most two and a half times as long as its question.
    var stun = RateLimit(burst: 20, interval: .milliseconds(50))
}
