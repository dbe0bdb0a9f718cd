/// What an agent did not take, by its reason.
public struct ICECensus: Equatable, Sendable {
    /// Messages that are no STUN, or STUN that is of no use here.
    public internal(set) var malformed = 0
    /// Checks and answers whose integrity is missing or wrong, or that name nobody here. They are not answered.
    public internal(set) var unproven = 0
    /// Answers to nothing that was asked.
    public internal(set) var unmatched = 0
    /// Packets that are no STUN, from addresses that have not been checked.
    public internal(set) var strayPackets = 0
    /// Remote candidates that cannot be used: another family or scope, a group, no port, too many.
    public internal(set) var unusableCandidates = 0
    /// Remote candidates with a name that is not resolved.
    public internal(set) var unresolvedNames = 0
    /// Pairs beyond the limit.
    public internal(set) var discardedPairs = 0
    public internal(set) var roleConflicts = 0
    /// TURN servers that wanted us to go elsewhere.
    public internal(set) var redirections = 0
    /// What a TURN client dropped, or could not send.
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
