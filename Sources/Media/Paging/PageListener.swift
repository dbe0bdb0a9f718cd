import Base
import CALSA  // For poll.h.
import Glibc
import Platform
import RTPCore
import Synchronization

/// The groups of pages on the network thread. It receives their packets, passes on those of the page that plays, and
/// reports when pages begin and end. It never sends.
///
/// Confined to its thread. It allocates nothing after `init`.
struct PageListener {
    private static let retryInterval = Duration.milliseconds(20)

    private let pages: [Borrowed<PageMedia>]

    init(_ pages: [PageMedia]) { self.pages = pages.map { Borrowed($0) } }

    var count: Int { pages.count }

    /// The next time at which something is due without a packet.
    func deadline(at now: Instant) -> Instant? {
        var next: Instant?
        for page in pages {
            let due = page.use { page in
                page.isTold == page.reception.isPaging ? page.reception.deadline : now + Self.retryInterval
            }
            if let due { next = min(next ?? due, due) }
        }
        return next
    }

    func listen(_ descriptors: inout [pollfd]) {
        for page in pages {
            page.use { descriptors.append(pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0)) }
        }
    }

    /// - Parameter hasPackets: whether packets wait at the group at this index.
    func serve(burst: Int, _ context: NetworkContext, hasPackets: (Int) -> Bool) {
        for (index, page) in pages.enumerated() {
            page.use { page in
                if hasPackets(index) { read(page, burst: burst, context) }
                page.reception.expire(at: MonotonicClock.now())
                tell(page, context)
            }
        }
    }

    private func read(_ page: PageMedia, burst: Int, _ context: NetworkContext) {
        for _ in 0..<burst {
            let isRead = page.voice.fill { bytes in
                guard let arrival = MediaSockets.receive(on: page.socket.descriptor, into: &bytes) else { return false }
                take(bytes.span.extracting(0..<arrival.count), from: arrival.sender, page, context, at: arrival.at)
                return true
            }
            guard isRead else { return }
        }
    }

    /// - Parameter packet: It lies in the slot that the page's ring lent.
    private func take(
        _ packet: Span<UInt8>, from sender: TransportAddress, _ page: PageMedia, _ context: NetworkContext,
        at now: Instant
    ) {
        guard case .rtp = MuxedPacket(classifying: packet), let header = try? RTPHeader(parsing: packet),
            let codec = page.codec(of: header.payloadType)
        else { return context.counters.malformed.count() }
        guard header.source != page.ownSource.load(ordering: .relaxed) else { return }
        let wasPaging = page.reception.isPaging
        switch page.reception.receive(header, from: sender, at: now) {
        case .awaited: return
        case .stranger, .exhausted: return context.counters.strangers.count()
        case .misfit: return context.counters.malformed.count()
        case .heard: break
        }
        context.counters.packetsReceived.count()
        if !wasPaging { page.payloadType.store(header.payloadType, ordering: .releasing) }
        guard page.isHeard.load(ordering: .acquiring) else { return }
        guard let samples = codec.samples(in: packet.extracting(header.payload)) else {
            return context.counters.undecodable.count()
        }
        let voice = ReceivedVoice(
            header: header.scaled(by: codec.samplesPerTick), ticks: samples, arrival: now.nanoseconds)
        if !page.voice.push(voice, header.payload) { context.counters.overflows.count() }
    }

    /// Reports the beginning or the end of the page. A report that does not fit into the ring is repeated soon: without
    /// the report of its end, a page would last for ever.
    private func tell(_ page: PageMedia, _ context: NetworkContext) {
        let isPaging = page.reception.isPaging
        guard isPaging != page.isTold else { return }
        let report = isPaging ? Report.pageStarted(page.number) : .pageEnded(page.number)
        if context.reports.send(report) { page.isTold = isPaging }
    }
}
