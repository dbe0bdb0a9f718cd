import Base
import RTPCore

/// The effect of an RTP datagram: classification, its header, digits, the stream's statistics and the jitter buffer.
/// An input is a call: a sequence of packets, each after three bytes. They are its length, its delay after the former
/// packet, and the sound that the device took in between.
func fuzzRTP(_ input: [UInt8]) {
    lookAt(input)
    for rate in [8_000, 48_000] {
        var call = HeardCall(clockRate: rate)
        var rest = input[...]
        while rest.count >= 3 {
            let head = Array(rest.prefix(3))
            let packet = Array(rest.dropFirst(3).prefix(Int(head[0])))
            rest = rest.dropFirst(3 + packet.count)
            call.receive(packet, after: .milliseconds(Int(head[1])))
            call.play(quanta: Int(head[2]) & 0x0F)
        }
        call.check()
    }
}

/// A whole datagram, however long.
private func lookAt(_ packet: [UInt8]) {
    _ = MuxedPacket(classifying: packet.span)
    guard let header = try? RTPHeader(parsing: packet.span) else { return }
    precondition(header.payload.clamped(to: 0..<packet.count) == header.payload, "a payload outside of its packet")
    lookInside(packet.span.extracting(header.payload))
    if let body = header.headerExtension?.body {
        precondition(body.clamped(to: 0..<header.payload.lowerBound) == body, "an extension outside of its packet")
    }
}

/// A payload as a redundant one.
private func lookInside(_ payload: Span<UInt8>) {
    guard let content = try? RedundantPayload(parsing: payload) else { return }
    for index in 0..<content.olderCount {
        precondition(content.older(index).range.upperBound <= payload.count, "a block outside of its packet")
    }
    precondition(content.newest.range.upperBound == payload.count, "bytes behind the newest block")
}
