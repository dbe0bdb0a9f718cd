import Base
import RTPCore

/// Decides which packets belong to a group's page, and when that page begins and ends. Pure.
///
/// Pages have no signalling, and anybody may send to a group. So a page begins with two packets in order from one
/// source, as RFC 3550 §A.1 requires of a new source. A stray packet interrupts nobody. The source then owns the group
/// until it is silent, and packets from others are dropped. A source that sends for too long would own the group for
/// ever, so it is dropped until it has been silent for a while. Allocates nothing after `init`.
package struct PageReception: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The packet belongs to the page.
        case heard
        /// It may become the first packet of a page.
        case awaited
        /// Another source owns the group.
        case stranger
        /// The source changed its codec within the page.
        case misfit
        /// The source has paged for too long.
        case exhausted
    }

    /// How many sequence numbers a source may have lost before its second packet.
    private static let tolerance: UInt16 = 8

    private struct Source: Equatable, Sendable {
        let number: UInt32
        let address: TransportAddress
        let payloadType: UInt8
        let sequence: UInt16
        let heard: Instant

        func isSame(as other: Source) -> Bool { number == other.number && address == other.address }
    }

    private enum State: Equatable, Sendable {
        case silent
        case awaiting(Source)
        case paging(Source, since: Instant)
    }

    /// A host whose page was too long.
    private struct Exhausted: Equatable, Sendable {
        var host: IPAddress
        var heard: Instant
    }

    /// How long such a host must be silent before it may page again.
    package static let pause = Duration.seconds(30)
    /// Limit of such hosts to remember. The host that was silent for the longest time is forgotten first.
    private static let exhaustedLimit = 8

    private let timeout: Duration
    private let longest: Duration
    /// The only hosts that may page, with port 0; empty: anybody may.
    private let sources: [IPAddress]
    private var state = State.silent
    private var exhausted: [Exhausted] = []

    /// - Parameters:
    ///   - timeout: a page ends after this time without packets.
    ///   - longest: how long a page may be.
    ///   - sources: the only hosts that may page; empty: anybody may.
    package init(timeout: Duration, longest: Duration = .seconds(300), sources: [IPAddress] = []) {
        (self.timeout, self.longest, self.sources) = (timeout, longest, sources)
        exhausted.reserveCapacity(Self.exhaustedLimit)
    }

    package var isPaging: Bool { if case .paging = state { true } else { false } }

    /// The payload type of the page; nil without a page.
    package var payloadType: UInt8? { if case .paging(let source, _) = state { source.payloadType } else { nil } }

    /// When the page ends unless packets come.
    package var deadline: Instant? {
        guard case .paging(let source, let began) = state else { return nil }
        return min(source.heard + timeout, began + longest)
    }

    /// Takes a well-formed packet of one of the group's payload types.
    package mutating func receive(_ header: RTPHeader, from sender: TransportAddress, at now: Instant) -> Verdict {
        expire(at: now)
        guard sources.isEmpty || sources.contains(sender.address) else { return .stranger }
        guard !isExhausted(sender.address, at: now) else { return .exhausted }
        let source = Source(
            number: header.source, address: sender, payloadType: header.payloadType, sequence: header.sequence,
            heard: now)
        switch state {
        case .paging(let holder, let began):
            guard holder.isSame(as: source) else { return .stranger }
            guard holder.payloadType == source.payloadType else { return .misfit }
            state = .paging(source, since: began)
            return .heard
        case .awaiting(let first) where first.isSame(as: source) && first.payloadType == source.payloadType:
            let isNext = (1...Self.tolerance).contains(source.sequence &- first.sequence)
            let isTimely = now - first.heard < timeout
            state = isNext && isTimely ? .paging(source, since: now) : .awaiting(source)
            return isNext && isTimely ? .heard : .awaited
        case .silent, .awaiting:
            state = .awaiting(source)
            return .awaited
        }
    }

    /// Ends the page if its source has been silent for long enough, or has paged for too long.
    package mutating func expire(at now: Instant) {
        guard case .paging(let source, let began) = state, let deadline, now >= deadline else { return }
        state = .silent
        // The source may have been silent for long before this check.
        guard began + longest <= source.heard + timeout else { return }
        if exhausted.count == Self.exhaustedLimit,
            let quietest = exhausted.indices.min(by: { exhausted[$0].heard < exhausted[$1].heard })
        {
            exhausted.remove(at: quietest)
        }
        exhausted.append(Exhausted(host: source.address.address, heard: now))
    }

    /// Whether the host has paged for too long and has not been silent since. Each of its packets extends the ban.
    private mutating func isExhausted(_ host: IPAddress, at now: Instant) -> Bool {
        guard let index = exhausted.firstIndex(where: { $0.host == host }) else { return false }
        guard now - exhausted[index].heard < Self.pause else {
            exhausted.remove(at: index)
            return false
        }
        exhausted[index].heard = now
        return true
    }
}
