import Platform
import Synchronization

/// Values that the parts of the network thread share.
struct NetworkContext: Sendable {
    let reports: ThreadQueue<Report>
    let probe: ThreadProbe
    let counters: MediaCounters
    /// CNAME, for RTCP.
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
