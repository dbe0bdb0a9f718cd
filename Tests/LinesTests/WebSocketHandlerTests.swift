import Lines
import NIOCore
import NIOEmbedded
import Testing

/// RFC 6455 §5 to §7, in simulated time.
@Suite("WebSocket frames")
struct WebSocketHandlerTests {
    private typealias Bytes = WebSocketBytes

    @Test("a message is one frame with a fresh mask, a text frame if it is text")
    func messageIsOneFrameWithFreshMaskTextFrameIfItIsText() throws {
        let talk = try WebSocketTalk.open()
        #expect(talk.isOpened)
        talk.say("OPTIONS")
        talk.say([0x66, 0xFC])
        talk.say([])
        let long = String(repeating: "a", count: 70_000)
        talk.say(long)
        let frames = talk.frames()
        #expect(frames.map(\.first) == [0x81, 0x82, 0x81] && frames.allSatisfy(\.isMasked))
        #expect(frames.map(\.bytes) == [Array("OPTIONS".utf8), [0x66, 0xFC], Array(long.utf8)])
        let raw = (0..<4).map { _ in
            talk.say("x")
            return talk.written()
        }
        #expect(Set(raw).count > 1)
    }

    @Test("text, bytes and fragments become messages, wherever the network split them")
    func textBytesAndFragmentsBecomeMessages() throws {
        let all =
            Bytes.text("one") + Bytes.frame(0x82, Array("two".utf8))
            + Bytes.frame(0x01, Array("th".utf8)) + Bytes.frame(0x89, [1]) + Bytes.frame(0x00, [])
            + Bytes.frame(0x80, Array("ree".utf8)) + Bytes.frame(0x02, Array("fo".utf8))
            + Bytes.frame(0x80, Array("ur".utf8)) + Bytes.frame(0x8A, [7])
        for step in [1, 2, 3, 7, all.count] {
            let talk = try WebSocketTalk.open()
            for start in stride(from: 0, to: all.count, by: step) {
                talk.hear(Array(all[start..<min(start + step, all.count)]))
            }
            #expect(talk.messages == ["one", "two", "three", "four"])
            #expect(talk.frames() == [.init(first: 0x8A, bytes: [1], isMasked: true)], "a pong")
            #expect(talk.pongs == 1 && talk.faults.isEmpty)
        }
        let talk = try WebSocketTalk.open(rest: Bytes.text("at once"))
        #expect(talk.messages == ["at once"])
    }

    // MARK: Hostile servers

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let fault: WebSocketFault
        /// The status code of our Close frame.
        let code: UInt16

        init(_ name: String, _ bytes: [UInt8], _ fault: WebSocketFault, _ code: UInt16 = 1_002) {
            (testDescription, self.bytes, self.fault, self.code) = (name, bytes, fault, code)
        }
    }

    private static func parts(_ count: Int, of size: Int) -> [UInt8] {
        Bytes.frame(0x01, []) + (0..<count).flatMap { _ in Bytes.frame(0x00, Array(repeating: 0x61, count: size)) }
    }

    static let cases = [
        Case("a masked frame", Bytes.frame(0x81, [1], masked: true), .masked),
        Case("a bit of an extension", Bytes.frame(0xC1, [1]), .reservedBits),
        Case("another bit", Bytes.frame(0x91, [1]), .reservedBits),
        Case("a length in two bytes too many", [0x81, 126, 0, 1, 0x61], .wrongLength),
        Case("a length in eight bytes too many", [0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .wrongLength),
        Case("an unknown kind", Bytes.frame(0x83, [1]), .unknownOpcode(3)),
        Case("an unknown kind of control", Bytes.frame(0x8F, [1]), .unknownOpcode(15)),
        Case("a long ping", Bytes.frame(0x89, Array(repeating: 1, count: 126)), .longControlFrame),
        Case("a ping in parts", Bytes.frame(0x09, [1]), .fragmentedControlFrame),
        Case("a part of nothing", Bytes.frame(0x80, [1]), .strayFragment),
        Case("a message inside another", Bytes.frame(0x01, [1]) + Bytes.text("x"), .interruptedMessage),
        Case("a frame of 4 GiB", Bytes.frame(0x81, [], count: 1 << 32), .tooLong(limit: 1_000), 1_009),
        Case(
            "a frame of more than memory", [0x81, 127] + Array(repeating: 0xFF, count: 8), .tooLong(limit: 1_000), 1_009
        ),
        Case("parts of nothing without an end", parts(1_024, of: 0), .tooManyFragments, 1_008),
        Case("pings without an end", (0..<40).flatMap { _ in Bytes.frame(0x89, []) }, .tooManyPings, 1_008),
        Case("pongs without an end", (0..<40).flatMap { _ in Bytes.frame(0x8A, []) }, .tooManyPings, 1_008),
    ]

    @Test("a protocol violation is reported once and ends the connection", arguments: cases)
    func protocolViolationIsReportedOnceAndEndsConnection(_ breach: Case) throws {
        let talk = try WebSocketTalk.open()
        talk.hear(breach.bytes + Bytes.text("believe me"))
        #expect(talk.faults == [breach.fault] && talk.messages.isEmpty && talk.others == 0)
        let last = try #require(talk.frames().last)
        #expect(
            last == .init(first: 0x88, bytes: [UInt8(breach.code >> 8), UInt8(breach.code & 0xFF)], isMasked: true))
        #expect(!talk.channel.isActive, "at once")
        #expect(!breach.fault.text.isEmpty)
    }

    /// A server forwards other users' text.
    @Test("an oversized message is skipped, and the next one is read")
    func oversizedMessageIsSkippedAndNextOneIsRead() throws {
        let long = Array(repeating: UInt8(0x61), count: 70_000)
        for (bytes, length) in [
            (Bytes.frame(0x81, Array(long.prefix(1_001))), 1_001), (Bytes.frame(0x82, long), 70_000),
            (Self.parts(11, of: 100) + Bytes.frame(0x80, [1]), 1_101),
            (Bytes.frame(0x01, long) + Bytes.frame(0x89, [1]) + Bytes.frame(0x80, [1]), 70_001),
            (Bytes.frame(0x01, [1]) + Bytes.frame(0x00, long) + Bytes.frame(0x80, long), 140_001),
        ] {
            let all = Bytes.text("one") + bytes + Bytes.text("two")
            for step in [length < 2_000 ? 1 : 997, all.count] {
                let talk = try WebSocketTalk.open()
                for start in stride(from: 0, to: all.count, by: step) {
                    talk.hear(Array(all[start..<min(start + step, all.count)]))
                }
                #expect(talk.messages == ["one", "two"] && talk.skipped == [length], "\(length) by \(step)")
                #expect(talk.faults.isEmpty && talk.channel.isActive)
            }
        }
    }

    @Test("a long unfinished frame is not waited for")
    func longUnfinishedFrameIsNotWaitedFor() throws {
        let talk = try WebSocketTalk.open()
        talk.hear(Bytes.frame(0x81, [0x61], count: 1 << 20))
        for _ in 0..<5 {
            talk.pass(2)
            talk.hear([0x61])
        }
        #expect(talk.faults == [.slowMessage] && !talk.channel.isActive && talk.messages.isEmpty)
    }

    @Test("an unfinished message is not waited for, however slowly it comes")
    func unfinishedMessageIsNotWaitedForHoweverSlowlyItComes() throws {
        let talk = try WebSocketTalk.open()
        talk.hear(Bytes.frame(0x01, [0x61]))
        for _ in 0..<5 {
            talk.pass(2)
            talk.hear(Bytes.frame(0x00, [0x61]))
        }
        #expect(talk.faults == [.slowMessage] && !talk.channel.isActive)
        // A message that ends in time gives the next one the full time again.
        let other = try WebSocketTalk.open()
        for _ in 0..<5 {
            other.hear(Bytes.frame(0x01, [0x61]))
            other.pass(6)
            other.hear(Bytes.frame(0x80, [0x61]))
        }
        #expect(other.messages.count == 5 && other.faults.isEmpty)
    }

    @Test("half a frame is not waited for, however slowly it comes")
    func halfFrameIsNotWaitedForHoweverSlowlyItComes() throws {
        let talk = try WebSocketTalk.open()
        let frame = Bytes.text(String(repeating: "a", count: 100))
        for byte in frame.prefix(6) {
            talk.hear([byte])
            talk.pass(2)
        }
        #expect(talk.faults == [.slowMessage] && !talk.channel.isActive)
        // A message that ends in time gives the next one the full time again.
        let other = try WebSocketTalk.open()
        for _ in 0..<5 {
            other.hear(Array(frame.dropLast()))
            other.pass(6)
            other.hear(Array(frame.suffix(1)) + frame.prefix(0))
        }
        #expect(other.messages.count == 5 && other.faults.isEmpty)
    }

    @Test("a refusal, or bytes after it, end the connection before it opens")
    func refusalOrBytesAfterItEndConnectionBeforeItOpens() throws {
        let talk = try WebSocketTalk()
        talk.hear(Array("HTTP/1.1 403 Forbidden\r\n\r\n".utf8) + Bytes.text("x"))
        #expect(talk.faults == [.refused(403, "Forbidden")] && !talk.isOpened && !talk.channel.isActive)
    }

    // MARK: Keep-alive

    @Test("a quiet server gets a ping after half a minute, and is dropped without a pong")
    func quietServerGetsPingAfterHalfMinuteAndIsDroppedWithoutPong() throws {
        let talk = try WebSocketTalk.open()
        for _ in 0..<5 {
            talk.pass(24)
            #expect(talk.frames().isEmpty)
            talk.pass(7)
            #expect(talk.frames() == [.init(first: 0x89, bytes: [], isMasked: true)])
            talk.hear(Bytes.frame(0x8A, []))
        }
        #expect(talk.pongs == 5 && talk.faults.isEmpty)
        talk.pass(31)
        talk.pass(10)
        #expect(talk.faults == [.silent] && !talk.channel.isActive)
    }

    @Test("any data of a server postpones the ping and counts as pong")
    func anyDataOfServerPostponesPingAndCountsAsPong() throws {
        let talk = try WebSocketTalk.open()
        for _ in 0..<10 {
            talk.pass(20)
            talk.hear(Bytes.text("x"))
        }
        #expect(talk.frames().isEmpty)
        talk.pass(31)
        #expect(talk.frames().count == 1)
        talk.pass(3)
        talk.hear(Bytes.text("x"))
        talk.pass(20)
        #expect(talk.faults.isEmpty && talk.channel.isActive)
    }

    @Test("a ping can be requested at once")
    func pingCanBeRequestedAtOnce() throws {
        let talk = try WebSocketTalk.open()
        talk.channel.triggerUserOutboundEvent(WebSocketHandler.Ping(), promise: nil)
        #expect(talk.frames() == [.init(first: 0x89, bytes: [], isMasked: true)])
    }

    // MARK: The end

    @Test("close sends a close frame, waits for the other's, and sends nothing more")
    func closeSendsCloseFrameWaitsForOtherAndSendsNothingMore() throws {
        let talk = try WebSocketTalk.open()
        talk.say("last")
        let closed = talk.channel.close()
        talk.say("too late")
        #expect(talk.frames().map(\.first) == [0x81, 0x88] && talk.channel.isActive)
        talk.hear(Bytes.text("unheard") + Bytes.frame(0x88, [3, 0xE8]))
        #expect(!talk.channel.isActive && talk.messages.isEmpty && talk.faults.isEmpty)
        try closed.wait()
    }

    @Test("a missing close frame is waited for one second")
    func missingCloseFrameIsWaitedForOneSecond() throws {
        let talk = try WebSocketTalk.open()
        let closed = [talk.channel.close(), talk.channel.close()]
        #expect(talk.frames().count == 1 && talk.channel.isActive)
        talk.pass(1)
        #expect(!talk.channel.isActive)
        for closed in closed { try closed.wait() }
    }

    @Test("a server's close is answered, and its reason reported")
    func serverCloseIsAnsweredAndItsReasonReported() throws {
        let talk = try WebSocketTalk.open()
        talk.hear(Bytes.frame(0x88, [0x03, 0xE9] + Array("going \u{1B}down".utf8)) + Bytes.text("x"))
        #expect(talk.frames() == [.init(first: 0x88, bytes: [3, 0xE8], isMasked: true)])
        #expect(talk.faults == [.closed(1_001, "going down")] && talk.messages.isEmpty && !talk.channel.isActive)
        #expect(talk.faults.first?.text == "the server closes the WebSocket (1001): going down")
        for odd in [[], [3]] as [[UInt8]] {
            let talk = try WebSocketTalk.open()
            talk.hear(Bytes.frame(0x88, odd))
            #expect(talk.faults == [.closed(nil, "")])
        }
    }

    @Test("a cut connection leaves nothing behind")
    func cutConnectionLeavesNothingBehind() throws {
        let talk = try WebSocketTalk.open()
        let closed = talk.channel.close()
        talk.channel.pipeline.fireChannelInactive()
        try closed.wait()
        talk.pass(100)
        #expect(talk.faults.isEmpty)
    }
}
