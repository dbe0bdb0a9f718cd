/// Counts of messages that an agent dropped, by reason.
public struct ICECensus: Equatable, Sendable {
    /// Messages that are not STUN, or STUN without a use here.
    public internal(set) var malformed = 0
    /// Checks and answers whose integrity is missing or wrong, or whose session does not exist. They are not answered.
    public internal(set) var unproven = 0
    /// Answers without a request.
    public internal(set) var unmatched = 0
    /// Packets that are not STUN, from addresses that have not been checked.
    public internal(set) var strayPackets = 0
    /// Remote candidates that cannot be used: another family or scope, a group, no port, too many.
    public internal(set) var unusableCandidates = 0
    /// Remote candidates whose name cannot be resolved.
    public internal(set) var unresolvedNames = 0
    /// Pairs beyond the limit.
    public internal(set) var discardedPairs = 0
    public internal(set) var roleConflicts = 0
    /// TURN servers that redirected us to another server.
    public internal(set) var redirections = 0
    /// Packets that a TURN client dropped, or could not send.
    public internal(set) var droppedByRelays = 0

    public init() {}
}

extension ICECensus {
    static func + (left: ICECensus, right: ICECensus) -> ICECensus {
        var sum = left
        sum.malformed += right.malformed
        sum.unproven += right.unproven
        sum.unmatched += right.unmatched
        sum.strayPackets += right.strayPackets
        sum.unusableCandidates += right.unusableCandidates
        sum.unresolvedNames += right.unresolvedNames
        sum.discardedPairs += right.discardedPairs
        sum.roleConflicts += right.roleConflicts
        sum.redirections += right.redirections
        sum.droppedByRelays += right.droppedByRelays
        return sum
    }
}
