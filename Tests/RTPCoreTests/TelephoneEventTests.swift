import Base
import RTPCore
import Testing

@Suite struct TelephoneEventTests {
    struct Sent: Equatable {
        var sequence: UInt16 = 0
        let frame: Int
        let payload: TelephoneEventPayload
        let timestamp: UInt32
        let marker: Bool
    }

    /// Runs frames until the sender is idle and returns its packets.
    static func run(_ sender: inout TelephoneEventSender, frameTicks: Int = 960, from timestamp: UInt32 = 0) -> [Sent] {
        var sent: [Sent] = []
        var frame = 0
        while !sender.isIdle, frame < 10_000 {
            let now = timestamp &+ UInt32(truncatingIfNeeded: frame * frameTicks)
            if case .event(let payload, let start, let marker) = sender.tick(timestamp: now, frameTicks: frameTicks) {
                sent.append(Sent(frame: frame, payload: payload, timestamp: start, marker: marker))
            }
            frame += 1
        }
        return numbered(sent)
    }

    /// The packets with sequence numbers in order, across the wrap.
    static func numbered(_ sent: [Sent], from first: UInt16 = .max - 3) -> [Sent] {
        sent.enumerated().map { place, packet in
            var numbered = packet
            numbered.sequence = first &+ UInt16(place)
            return numbered
        }
    }

    @Test(arguments: [(48_000, 960), (48_000, 480), (8_000, 160), (8_000, 80)])
    func oneDigitHasItsPackets(rate: Int, frameTicks: Int) {
        var sender = TelephoneEventSender(clockRate: rate)
        let queued = sender.enqueue(keys: "5")
        #expect(queued == 1)
        let sent = Self.run(&sender, frameTicks: frameTicks, from: .max - 100)
        let frames = rate / 10 / frameTicks
        #expect(sent.map(\.frame) == Array(0..<frames + 2))
        #expect(sent.map(\.marker) == [true] + Array(repeating: false, count: frames + 1))
        #expect(sent.allSatisfy { $0.timestamp == UInt32.max - 100 && $0.payload.code == 5 })
        #expect(sent.map(\.payload.isEnd) == Array(repeating: false, count: frames - 1) + [true, true, true])
        let growing = (1...frames).map { UInt16($0 * frameTicks) }
        #expect(sent.map(\.payload.duration) == growing + [growing[frames - 1], growing[frames - 1]])
    }

    @Test func eventLastsAtLeastFiftyMilliseconds() throws {
        var sender = TelephoneEventSender(clockRate: 8_000)
        let queued = sender.enqueue(.event(.flash, .milliseconds(1)))
        #expect(queued)
        let last = try #require(Self.run(&sender, frameTicks: 80).last)
        #expect(last.payload.duration == 400 && last.payload.code == 16)
    }

    @Test func eventIsSplitAtLongestDuration() throws {
        var sender = TelephoneEventSender(clockRate: 48_000)
        let queued = sender.enqueue(.event(.flash, .seconds(60)))
        #expect(queued)
        #expect(try #require(Self.run(&sender).last).payload.duration == .max)
    }

    @Test func allKeysAreSentInOrderWithGapsAndPause() {
        let keys = "0123456789*#abcd,1"
        var sender = TelephoneEventSender(clockRate: 48_000)
        let queued = sender.enqueue(keys: keys)
        #expect(queued == keys.count)
        let sent = Self.run(&sender)
        let starts = sent.filter(\.marker)
        #expect(starts.map(\.payload.code) == Array(0...15) + [1])
        for (earlier, later) in zip(starts, starts.dropFirst()) {
            let end = sent.last { $0.timestamp == earlier.timestamp && $0.payload.isEnd }
            #expect(later.frame * 20 - (end?.frame ?? .max) * 20 >= 50)
        }
        let pause = (starts[16].frame - starts[15].frame) * 20
        #expect((2_150...2_300).contains(pause))
    }

    @Test func fullQueueRejectsDigits() {
        var sender = TelephoneEventSender(clockRate: 8_000)
        let untilUnknown = sender.enqueue(keys: "12x3")
        #expect(untilUnknown == 2)
        let untilFull = sender.enqueue(keys: String(repeating: "7", count: 100))
        #expect(untilFull == TelephoneEventSender.queueLimit - 2)
        let refused = sender.enqueue(.pause)
        #expect(!refused)
    }

    @Test func cancelEndsEvent() {
        var sender = TelephoneEventSender(clockRate: 48_000)
        _ = sender.enqueue(keys: "123")
        _ = sender.tick(timestamp: 0, frameTicks: 960)
        sender.cancel()
        let sent = Self.run(&sender)
        #expect(sent.map(\.payload.isEnd) == [true, true, true])
        #expect(Set(sent.map(\.payload.code)) == [1])
    }

    /// Every loss pattern of an event's seven packets, except all of them, reports it once.
    @Test func eventIsReportedOnceForAnyLoss() {
        var sender = TelephoneEventSender(clockRate: 48_000)
        _ = sender.enqueue(keys: "99")
        let sent = Self.run(&sender)
        let perEvent = sent.count / 2
        for pattern in 1..<(1 << perEvent) {
            var receiver = TelephoneEventReceiver()
            var told: [TelephoneEvent] = []
            for (index, packet) in sent.enumerated() where pattern >> (index % perEvent) & 1 == 1 {
                for _ in 0..<2 { told += Self.receive(packet, &receiver).map { [$0] } ?? [] }
            }
            #expect(told.map(\.key) == ["9", "9"], "pattern \(pattern)")
        }
    }

    static func receive(_ packet: Sent, _ receiver: inout TelephoneEventReceiver) -> TelephoneEvent? {
        var bytes = [UInt8](repeating: 0, count: TelephoneEventPayload.size)
        var span = bytes.mutableSpan
        packet.payload.write(into: &span, at: 0)
        let header = RTPHeader(
            payloadType: 101, sequence: packet.sequence, timestamp: packet.timestamp, source: 1, marker: packet.marker)
        return receiver.receive(header, payload: bytes.span, at: Instant(nanoseconds: Int64(packet.frame) * 20_000_000))
    }

    @Test func reorderingDoesNotDuplicate() {
        var sender = TelephoneEventSender(clockRate: 8_000)
        _ = sender.enqueue(keys: "12")
        var sent = Self.run(&sender, frameTicks: 160)
        sent.swapAt(6, 7)
        var receiver = TelephoneEventReceiver()
        let told = sent.compactMap { Self.receive($0, &receiver) }
        #expect(told.map(\.key) == ["1", "2"])
    }

    /// A key held for longer than the wire's duration allows (RFC 4733 §2.5.1.3), then released or lost; ticks of the
    /// event's clock. `strict` senders end a segment at 0xFFFF, others at their last whole packet.
    static func held(ticks: Int, frameTicks: Int, isStrict: Bool, from timestamp: UInt32) -> [Sent] {
        let segment = isStrict ? 0xFFFF : 0xFFFF / frameTicks * frameTicks
        let sent = stride(from: frameTicks, through: ticks, by: frameTicks).enumerated().flatMap { frame, elapsed in
            let begun = (elapsed - 1) / segment * segment
            let isEnd = elapsed + frameTicks > ticks
            let crosses = isStrict && begun > 0 && elapsed - begun < frameTicks
            let packets = [
                crosses ? (segment, begun - segment, false) : nil, (elapsed - begun, begun, isEnd),
                isEnd ? (elapsed - begun, begun, true) : nil,
            ]
            return packets.compactMap { $0 }.map { duration, start, isEnd in
                Sent(
                    frame: frame,
                    payload: TelephoneEventPayload(code: 5, isEnd: isEnd, volume: 10, duration: UInt16(duration)),
                    timestamp: timestamp &+ UInt32(start), marker: elapsed == frameTicks)
            }
        }
        return numbered(sent)
    }

    /// If any one or two packets around the border of two segments are lost, it is still one key; the next press is
    /// another.
    @Test(arguments: [(160, true), (160, false), (960, true), (960, false), (400, true)])
    func longKeyIsReportedOnce(frameTicks: Int, isStrict: Bool) {
        let sent = Self.held(ticks: 150_000, frameTicks: frameTicks, isStrict: isStrict, from: .max - 70_000)
        let starts = Set(sent.map(\.timestamp))
        #expect(starts.count == 3)
        let border = sent.firstIndex { $0.timestamp != sent[0].timestamp } ?? 0
        for first in border - 4...border + 3 {
            for second in first...border + 3 {
                var receiver = TelephoneEventReceiver()
                let heard = sent.enumerated().filter { $0.offset != first && $0.offset != second }.map(\.element)
                let told = heard.compactMap { Self.receive($0, &receiver) }
                #expect(told.map(\.key) == ["5"], "without \(first - border) and \(second - border)")
            }
        }
    }

    /// The same key pressed again at once, with its end received or a gap between, is reported again.
    @Test(arguments: [true, false], [0, 400, 2_000])
    func repeatedKeyIsReportedAgain(hearsEnd: Bool, gap: Int) {
        guard hearsEnd || gap > 0 else { return }
        let press = Self.held(ticks: 64_000, frameTicks: 160, isStrict: true, from: 1_000)
        let again = Self.held(
            ticks: 800, frameTicks: 160, isStrict: true, from: 1_000 + 64_000 + UInt32(gap))
        var receiver = TelephoneEventReceiver()
        let heard = Self.numbered(press + again).filter {
            hearsEnd || !$0.payload.isEnd || $0.timestamp != press[0].timestamp
        }
        let told = heard.compactMap { Self.receive($0, &receiver) }
        #expect(told.map(\.key) == ["5", "5"])
    }

    @Test func unknownAndShortEventsAreCounted() {
        var receiver = TelephoneEventReceiver()
        let header = RTPHeader(payloadType: 101, sequence: 0, timestamp: 0, source: 1)
        let unknown: [UInt8] = [17, 10, 0, 100]
        let short: [UInt8] = [1, 10, 0]
        #expect(receiver.receive(header, payload: unknown.span, at: .zero) == nil)
        #expect(receiver.receive(header, payload: short.span, at: .zero) == nil)
        #expect(receiver.dropped == 2)
    }

    @Test func anyTimestampIsNewAfterWhile() {
        var receiver = TelephoneEventReceiver()
        let bytes: [UInt8] = [1, 10, 0, 100]
        let late = RTPHeader(payloadType: 101, sequence: 1, timestamp: 100, source: 1)
        let early = RTPHeader(payloadType: 101, sequence: 0, timestamp: 99, source: 1)
        let first = receiver.receive(late, payload: bytes.span, at: .zero)
        let stale = receiver.receive(early, payload: bytes.span, at: .zero + .seconds(9))
        let fresh = receiver.receive(early, payload: bytes.span, at: .zero + .seconds(20))
        #expect(first != nil && stale == nil && fresh != nil)
    }

    @Test func keysMatchEventCodes() {
        for code in UInt8(0)...15 {
            #expect(TelephoneEvent(rawValue: code)?.key.flatMap(TelephoneEvent.init(key:))?.rawValue == code)
        }
        #expect(TelephoneEvent.flash.key == nil)
        #expect(
            TelephoneEvent(key: "é") == nil && TelephoneEvent(key: "E") == nil && TelephoneEvent(rawValue: 17) == nil)
    }
}
