import Base
import RTPCore

extension RTPSession {
    /// Splits a packet that repeats older ones (RFC 2198). Each older block belongs to the packet before that of the
    /// next block. The jitter buffer drops the packets that it already has.
    ///
    /// - Parameter isNext: The packet before this one has arrived, so only the newest block is new.
    mutating func unfold(
        _ header: RTPHeader, _ payload: Span<UInt8>, isNext: Bool, _ call: CallMedia, _ context: NetworkContext,
        at now: Instant
    ) {
        guard let content = try? RedundantPayload(parsing: payload) else { return context.counters.malformed.count() }
        for index in 0..<(isNext ? 0 : content.olderCount) {
            let block = content.older(index)
            // Events in older blocks are ignored, because events repeat themselves (RFC 4733 §2.5.1.4).
            guard negotiated.content(of: block.payloadType) == .voice, block.age > 0, !block.range.isEmpty else {
                continue
            }
            let older = RTPHeader(
                payloadType: block.payloadType, sequence: header.sequence &- UInt16(content.olderCount - index),
                timestamp: header.timestamp &- block.age, source: header.source)
            enqueue(older, payload.extracting(block.range), call, context, at: now)
        }
        let newest = RTPHeader(
            payloadType: content.newest.payloadType, sequence: header.sequence, timestamp: header.timestamp,
            source: header.source, marker: header.marker)
        let bytes = payload.extracting(content.newest.range)
        switch negotiated.content(of: newest.payloadType) {
        case .voice: enqueue(newest, bytes, call, context, at: now)
        case .event: hear(newest, bytes, call, context, at: now)
        case .repeating, .silence, nil: context.counters.malformed.count()
        }
    }
}
