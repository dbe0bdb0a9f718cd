import SIPCore

/// The effect of a datagram or a stream: framing, parsing, every typed header, and lines in every state.
func fuzzSIP(_ input: [UInt8]) {
    frame(input)
    guard let message = try? SIPMessage(input.span) else { return }
    roundTrip(message)
    readEverything(message)
    readExtensions(message)
    Lines.take(message, as: input)
}

/// A stream's messages do not depend on how it is split, except for the length of data that is no message.
private func frame(_ input: [UInt8]) {
    var (whole, halves) = (SIPStreamFramer(), SIPStreamFramer())
    let middle = input.count / 2
    let outputs = whole.receive(input.span)
    let first = halves.receive(input.span.extracting(..<middle))
    let second = halves.receive(input.span.extracting(middle...))
    precondition(outputs.map(\.withoutRest) == (first + second).map(\.withoutRest), "framing depends on the cut")
}

extension SIPStreamFramer.Output {
    fileprivate var withoutRest: Self {
        if case .broken(let error, _) = self { .broken(error, []) } else { self }
    }
}

private func roundTrip(_ message: SIPMessage) {
    let written = message.bytes
    // A leniently read message (bare line breaks first, folded lines, a long Content-Length) can grow when written.
    guard let back = try? SIPMessage(written.span) else {
        precondition(written.count > SIPLimits.message - 512, "written, and cannot be read")
        return
    }
    precondition(back == message, "not the same after a trip over the wire")
    precondition(back.bytes == written, "not the same bytes after another trip")
}
