import Base
import RTPCore
import Testing

/// Telephone events in other vendors' variants. Each person pressed each key once.
@Suite struct OddTelephoneEventTests {
    private typealias Sent = TelephoneEventTests.Sent

    private static func packet(
        _ code: UInt8, _ duration: Int, end: Bool = false, marker: Bool = false, at timestamp: UInt32
    ) -> Sent {
        Sent(
            frame: 0, payload: TelephoneEventPayload(code: code, isEnd: end, volume: 10, duration: UInt16(duration)),
            timestamp: timestamp, marker: marker)
    }

    /// Four packets of a key at 20 ms, and its end three times.
    private static func press(_ code: UInt8, marker: Bool = true, at timestamp: UInt32) -> [Sent] {
        let growing = (1...4).map { packet(code, $0 * 160, marker: marker && $0 == 1, at: timestamp) }
        return growing + Array(repeating: packet(code, 640, end: true, at: timestamp), count: 3)
    }

    private static func heard(_ sent: [Sent]) -> String {
        var receiver = TelephoneEventReceiver()
        return String(TelephoneEventTests.numbered(sent).compactMap { TelephoneEventTests.receive($0, &receiver)?.key })
    }

    @Test func timestampThatRisesInEndPacketsIsOneKey() {
        let ends = [0, 160, 320].map { Self.packet(3, 960, end: true, at: 5_000 + $0) }
        #expect(Self.heard(Array(Self.press(3, at: 5_000).prefix(4)) + ends) == "3")
    }

    @Test(arguments: [0, 1, 3]) func timestampThatRisesInEachPacketIsOneKey(repeatedEnds: Int) {
        let sent = (0..<6 + repeatedEnds).map { (place: Int) -> Sent in
            let timestamp = UInt32(5_000 + 160 * place)
            return Self.packet(4, min(place + 1, 6) * 160, end: place >= 5, marker: place == 0, at: timestamp)
        }
        #expect(Self.heard(sent) == "4")
    }

    @Test func severalKeysWithOneTimestampAreSeparate() {
        #expect(Self.heard([5, 6, 7].flatMap { Self.press($0, at: 5_000) }) == "567")
    }

    @Test(arguments: [true, false]) func sameKeyTwiceWithOneTimestampIsTwoKeys(marker: Bool) {
        #expect(Self.heard((0..<2).flatMap { _ in Self.press(8, marker: marker, at: 5_000) }) == "88")
    }

    @Test(arguments: [UInt8(2), 1]) func clockThatJumpsBackBetweenKeysIsAccepted(second: UInt8) {
        #expect(Self.heard(Self.press(1, at: 60_000) + Self.press(second, at: 10_000)) == "1\(second)")
    }

    /// RTCDTMFSender of Chromium marks the first three packets.
    @Test func markerInSeveralPacketsIsOneKey() {
        let marked = (0..<3).map { _ in Self.packet(9, 160, marker: true, at: 5_000) }
        let ends = (0..<3).map { _ in Self.packet(9, 800, end: true, marker: true, at: 5_000) }
        #expect(Self.heard(marked + ends) == "9")
    }

    @Test func endPacketsAloneAreOneKey() {
        #expect(Self.heard((0..<3).map { _ in Self.packet(2, 800, end: true, at: 5_000) }) == "2")
    }

    /// A packet of the first key that comes late, behind the second key, is no third press.
    @Test(arguments: 0..<4) func latePacketOfFormerKeyIsNoNewKey(late: Int) {
        let sent = TelephoneEventTests.numbered(Self.press(1, at: 5_000) + Self.press(2, at: 7_000))
        var receiver = TelephoneEventReceiver()
        let order = sent.indices.filter { $0 != late } + [late]
        #expect(String(order.compactMap { TelephoneEventTests.receive(sent[$0], &receiver)?.key }) == "12")
    }

    /// A far end that restarts counts from anywhere.
    @Test func sequenceThatJumpsBackIsAccepted() {
        var receiver = TelephoneEventReceiver()
        let first = TelephoneEventTests.numbered(Self.press(1, at: 5_000), from: 40_000)
        let second = TelephoneEventTests.numbered(Self.press(1, at: 900_000), from: 20_000)
        #expect(String((first + second).compactMap { TelephoneEventTests.receive($0, &receiver)?.key }) == "11")
    }

    /// Some stacks never fill in the duration.
    @Test(arguments: [true, false]) func durationThatStaysZeroIsOneKeyEach(marker: Bool) {
        func press(_ code: UInt8, at timestamp: UInt32) -> [Sent] {
            let held = (0..<4).map { Self.packet(code, 0, marker: marker && $0 == 0, at: timestamp) }
            return held + Array(repeating: Self.packet(code, 0, end: true, at: timestamp), count: 3)
        }
        #expect(Self.heard(press(1, at: 5_000) + press(1, at: 7_000) + press(2, at: 9_000)) == "112")
    }

    /// Others write the final duration into each packet.
    @Test func durationThatStaysAtItsEndIsOneKeyEach() {
        func press(_ code: UInt8, at timestamp: UInt32) -> [Sent] {
            let held = (0..<4).map { Self.packet(code, 1_600, marker: $0 == 0, at: timestamp) }
            return held + Array(repeating: Self.packet(code, 1_600, end: true, at: timestamp), count: 3)
        }
        #expect(Self.heard(press(1, at: 5_000) + press(1, at: 9_000)) == "11")
    }

    @Test func keyWithoutEndIsFollowedByTheSameKey() {
        let cut = Array(Self.press(4, at: 5_000).prefix(4))
        #expect(Self.heard(cut + Self.press(4, at: 9_000)) == "44")
        #expect(Self.heard(cut + Self.press(4, marker: false, at: 9_000)) == "44")
    }

    /// Tones of a modem or of a pulse dial may be between two keys.
    @Test func unsupportedEventBetweenKeysIsIgnored() {
        let foreign = (1...3).map { Self.packet(32, $0 * 160, at: 6_500) }
        #expect(Self.heard(Self.press(1, at: 5_000) + foreign + Self.press(1, at: 9_000)) == "11")
    }

    @Test func keyOfAnotherSourceIsHeard() {
        var receiver = TelephoneEventReceiver()
        var heard = ""
        for (source, code) in [(UInt32(1), UInt8(3)), (2, 3), (1, 5)] {
            for (place, packet) in TelephoneEventTests.numbered(Self.press(code, at: 5_000 &* source)).enumerated() {
                // Some gateways append padding, and set the reserved bit.
                let bytes: [UInt8] = [code, packet.payload.isEnd ? 0xCA : 0x4A, 0, UInt8(160 + place), 0, 0]
                let header = RTPHeader(
                    payloadType: 101, sequence: packet.sequence &+ (code == 5 ? 20 : 0),
                    timestamp: packet.timestamp &+ UInt32(code),
                    source: source, marker: packet.marker)
                if let key = receiver.receive(header, payload: bytes.span, at: .zero)?.key { heard.append(key) }
            }
        }
        #expect(heard == "335")
    }

    @Test(arguments: [UInt16(0), 65_530, 32_765]) func numberingThatStartsAnywhereIsAccepted(first: UInt16) {
        let sent = TelephoneEventTests.numbered(Self.press(1, at: 5_000) + Self.press(2, at: 9_000), from: first)
        var receiver = TelephoneEventReceiver()
        let heard = String(sent.compactMap { TelephoneEventTests.receive($0, &receiver)?.key })
        #expect(heard == "12")
    }
}
