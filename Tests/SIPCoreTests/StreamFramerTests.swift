import SIPCore
import Testing

@Suite struct StreamFramerTests {
    private static func stream() throws -> [UInt8] {
        var invite = try SIPRequest.sample(.invite)
        invite.body = Array("v=0\r\n\r\nno: head\r\n\r\n".utf8)
        let options = try SIPRequest.sample(.options)
        return invite.bytes + wire("\n\n") + options.bytes + invite.bytes + wire("\n")
    }

    private static func outputs(_ pieces: [ArraySlice<UInt8>]) -> [SIPStreamFramer.Output] {
        var framer = SIPStreamFramer()
        return pieces.flatMap { piece in
            let bytes = Array(piece)
            return framer.receive(bytes.span)
        }
    }

    @Test func joinedMessagesAreSeparated() throws {
        let outputs = Self.outputs([try Self.stream()[...]])
        let messages = try outputs.compactMap { if case .message(let bytes) = $0 { try parse(bytes) } else { nil } }
        #expect(messages.map(\.body.count) == [19, 0, 19])
        #expect(outputs.filter { $0 == .pong }.count == 3)
        #expect(outputs.filter { $0 == .ping }.count == 1)
        #expect(outputs.last == .pong)
    }

    @Test func everySplitGivesSameMessages() throws {
        let stream = try Self.stream()
        let whole = Self.outputs([stream[...]])
        for place in 0...stream.count {
            #expect(Self.outputs([stream[..<place], stream[place...]]) == whole, "split at \(place)")
        }
        #expect(Self.outputs(stream.indices.map { stream[$0...$0] }) == whole)
    }

    @Test func keepAlivesAreReported() {
        #expect(Self.outputs([wire("\n\n\n\n\n")[...]]) == [.pong, .pong, .ping, .pong, .pong, .ping, .pong])
    }

    /// A server that sends only pongs looks as if it pinged; each one still counts as a pong.
    @Test func everyPongInRowCounts() {
        var framer = SIPStreamFramer()
        for _ in 0..<5 {
            let answer = wire("\n")
            let outputs = framer.receive(answer.span)
            #expect(outputs.contains(.pong))
        }
    }

    @Test(arguments: [
        ("\r\r", SIPParseError(.lineEnd, at: 0)), ("\n", SIPParseError(.lineEnd, at: 0)),
        ("A\r\nContent-Length: -1\r\n\r\n", SIPParseError(.number(maximum: 2_147_483_647), at: 0, in: .contentLength)),
        (
            "A\r\nContent-Length: 70000\r\n\r\n",
            SIPParseError(.tooLong(limit: SIPLimits.message), at: SIPLimits.message)
        ),
        (
            String(repeating: "A", count: SIPLimits.message + 1),
            SIPParseError(.tooLong(limit: SIPLimits.message), at: SIPLimits.message)
        ),
    ])
    func lostFramingBreaksStream(_ text: String, _ error: SIPParseError) {
        var framer = SIPStreamFramer()
        let bytes = Array(text.utf8)
        let broken = framer.receive(bytes.span)
        guard case .broken(error, let rest)? = broken.first, broken.count == 1 else {
            Issue.record("\(broken)")
            return
        }
        // The partial message, for the error response; line breaks before it are excluded.
        #expect(!rest.isEmpty && rest.count <= SIPLimits.message && bytes.starts(with: rest))
        let after = framer.receive(bytes.span)
        #expect(after.isEmpty)
    }
}
