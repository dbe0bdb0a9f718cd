import Base
import ICECore
import SIPCore

/// The effect of a non-SIP datagram at the SIP port: classification, parsing, responding, and lines with or without a
/// pending request to their server.
func fuzzSTUN(_ input: [UInt8]) {
    let (mayBeSTUN, mayBeSIP) = (STUNMessage.mayBegin(input), SIPMessage.mayBegin(input))
    precondition(!(mayBeSTUN && mayBeSIP), "both a question of STUN and a message")
    // Other data is ignored; SIP messages are the business of `FuzzSIP`.
    guard mayBeSTUN else { return }
    let message = try? STUNMessage(input.span)
    if let message { roundTrip(message, input) }
    for line in KeptLine.prepared { line.take(input, message) }
}

/// A parsed message is written with the same length and read again; an answer is small, and is not answered.
private func roundTrip(_ message: STUNMessage, _ input: [UInt8]) {
    for host in ["192.0.2.66", "2001:db8::66"] {
        guard let address = IPAddress(host) else { preconditionFailure("no address: \(host)") }
        let source = TransportAddress(address, 5_060)
        guard let answer = message.answer(to: source) else { continue }
        let written = answer.bytes
        precondition(written.count * 2 <= input.count * 5, "\(written.count) bytes for \(input.count)")
        guard let heard = try? STUNMessage(written.span) else { preconditionFailure("our answer cannot be read") }
        precondition(heard == answer && heard.id == message.id && heard.answer(to: source) == nil)
        precondition(heard.kind != .success || heard.mappedAddress == source, "another address than the source")
    }
    // Nothing writes attributes that are longer.
    guard message.attributes.allSatisfy({ $0.value.count <= 512 }) else { return }
    let written = message.bytes
    precondition(written.count == input.count, "not as long as it was")
    precondition((try? STUNMessage(written.span)) == message, "not the same after a trip over the wire")
}
