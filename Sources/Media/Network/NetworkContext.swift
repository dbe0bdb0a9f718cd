import Synchronization

/// What the network thread's parts share.
struct NetworkContext: Sendable {
    let reports: Mailbox<Report>
    let counters: MediaCounters
    /// A random name for this run of the program, which identifies nobody (RFC 7022).
    let canonicalName: [UInt8]

    func tell(_ report: Report) {
        if !reports.send(report) { counters.messagesLost.count() }
    }

    func count(_ refusal: SRTPSession.Refusal) {
        switch refusal {
        case .unauthenticated: counters.unauthenticated.count()
        case .replayed: counters.replayed.count()
        case .other: counters.malformed.count()
        }
    }
}
