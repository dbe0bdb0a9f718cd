import Base
import RTPCore

/// Decides whose packets are a group's page, and when that page begins and ends. Pure.
///
/// Nobody signals a page, and anybody may send to a group. So a page begins with two packets in order from one source,
/// as RFC 3550 §A.1 has it for a new source: a stray packet interrupts nobody. The source then has the group until it
/// is silent, and the packets of others are dropped.
package struct PageReception: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The packet belongs to the page.
        case heard
        /// It may become the first one of a page.
        case awaited
        /// Another source has the group.
        case stranger
        /// The source has changed to another codec within its page.
        case misfit
    }

    /// How many sequence numbers a source may have lost before its second packet.
    private static let tolerance: UInt16 = 8

    private struct Source: Equatable, Sendable {
        let number: UInt32
        let address: PeerAddress
        let payloadType: UInt8
        let sequence: UInt16
        let heard: Instant

        func isSame(as other: Source) -> Bool { number == other.number && address == other.address }
    }

    private enum State: Equatable, Sendable {
        case silent
        case awaiting(Source)
        case paging(Source)
    }

    private let timeout: Duration
    private var state = State.silent

    /// - Parameter timeout: the time without packets after which a page is over.
    package init(timeout: Duration) { self.timeout = timeout }

    package var isPaging: Bool { if case .paging = state { true } else { false } }

    /// The payload type of the page; nil: there is none.
    package var payloadType: UInt8? { if case .paging(let source) = state { source.payloadType } else { nil } }

    /// When the page is over unless packets come.
    package var deadline: Instant? { if case .paging(let source) = state { source.heard + timeout } else { nil } }

    /// Takes a well-formed packet of one of the group's payload types.
    package mutating func receive(_ header: RTPHeader, from sender: PeerAddress, at now: Instant) -> Verdict {
        expire(at: now)
        let source = Source(
            number: header.source, address: sender, payloadType: header.payloadType, sequence: header.sequence,
            heard: now)
        switch state {
        case .paging(let holder):
            guard holder.isSame(as: source) else { return .stranger }
            guard holder.payloadType == source.payloadType else { return .misfit }
            state = .paging(source)
            return .heard
        case .awaiting(let first) where first.isSame(as: source) && first.payloadType == source.payloadType:
            let isNext = (1...Self.tolerance).contains(source.sequence &- first.sequence)
            let isTimely = now - first.heard < timeout
            state = isNext && isTimely ? .paging(source) : .awaiting(source)
            return isNext && isTimely ? .heard : .awaited
        case .silent, .awaiting:
            state = .awaiting(source)
            return .awaited
        }
    }

    /// Ends the page if its source has been silent for long enough.
    package mutating func expire(at now: Instant) {
        if let deadline, now >= deadline { state = .silent }
    }
}
