import Base
import Testing
import Trace

@Suite("Captures")
struct CaptureTests {
    private func datagrams(_ signals: TracedSignal...) throws -> [CaptureReader.Datagram] {
        try CaptureReader.read(CaptureFile.opening + signals.flatMap { CaptureFile.record(of: $0) })
    }

    @Test("sent and received messages are in order, with the right ends and times")
    func sentAndReceivedMessagesAreInOrderWithRightEndsAndTimes() throws {
        let (invite, trying) = (Signals.request("INVITE"), Signals.response("100 Trying", to: "INVITE"))
        let read = try datagrams(
            Signals.signal(invite, at: 1_763_722_800_123_456),
            Signals.signal(trying, isSent: false, at: 1_763_722_800_125_000))
        #expect(read.map(\.payload) == [invite, trying])
        #expect(read.map(\.microseconds) == [1_763_722_800_123_456, 1_763_722_800_125_000])
        #expect(read.map(\.source) == [[192, 0, 2, 1], [192, 0, 2, 100]])
        #expect(read.map(\.target) == [[192, 0, 2, 100], [192, 0, 2, 1]])
        #expect(read[0].sourcePort == 5_060 && read[0].targetPort == 5_060)
    }

    @Test("IPv6, scoped and mixed addresses are written, and invalid ones handled")
    func iPv6ScopedAndMixedAddressesAreWrittenAndInvalidOnesHandled() throws {
        func ends(_ local: String, _ remote: String) throws -> CaptureReader.Datagram {
            let (local, remote) = (TracedSignal.End(local, 5_061), TracedSignal.End(remote, 40_000))
            return try datagrams(Signals.signal(Signals.request("OPTIONS"), local: local, remote: remote))[0]
        }
        let six = try ends("2001:db8::1", "fe80::2%eth0")
        #expect(six.source == [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1])
        #expect(six.target == [0xFE, 0x80] + Array(repeating: 0, count: 13) + [2])
        #expect(six.sourcePort == 5_061 && six.targetPort == 40_000)
        let mixed = try ends("192.0.2.1", "2001:db8::1")
        #expect(mixed.source == Array(repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1])
        #expect(try ends("phone.example", "192.0.2.2").source == [0, 0, 0, 0])
    }

    @Test(
        "every length up to the longest is written, and longer ones are cut to a datagram",
        arguments: [0, 1, 2, 1_471, 65_507])
    func everyLengthUpToLongestIsWritten(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let message = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        #expect(try datagrams(Signals.signal(message))[0].payload == message)
        let long = message + Array(repeating: 0x41, count: 65_536)
        #expect(try datagrams(Signals.signal(long))[0].payload == Array(long.prefix(65_507)))
    }

    @Test("a checksum of zero is written in its other form")
    func checksumOfZeroIsWrittenInItsOtherForm() throws {
        // The two bytes run through every sum, so one of them gives zero, which the reader rejects.
        for number in 0..<65_536 {
            let message = [UInt8(number >> 8), UInt8(number & 0xFF)]
            let payload = try datagrams(Signals.signal(message))[0].payload
            if payload != message { Issue.record("\(number) is read as \(payload)") }
        }
    }

    @Test("a clock before 1970 is held at 1970")
    func clockBefore1970IsHeldAt1970() throws {
        #expect(try datagrams(Signals.signal([0x41], at: -5))[0].microseconds == 0)
    }
}
