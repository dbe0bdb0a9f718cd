import Base
import RTPCore
import Testing

/// A buffer that counts samples of 48 kHz plays a codec with a clock of 8 kHz: each timestamp times six.
@Suite struct ClockTests {
    /// The first timestamps, in front of the wraps of either clock.
    private static let starts: [UInt32] = [0, 0x7FFF_FF00, 0xFFFF_FC00, 0x2AAA_A900, 0x5555_5400]

    @Test(arguments: starts)
    func scaledTimestampsContinueAcrossEveryWrap(start: UInt32) {
        var buffer = JitterBuffer(.init(clockRate: 48_000))
        buffer.reset(usesForwardCorrection: false)
        let payload = [UInt8](repeating: 0xFF, count: 160)
        for number in 0..<100 {
            let header = RTPHeader(
                payloadType: 0, sequence: UInt16(number), timestamp: (start &+ UInt32(160 * number)) &* 6, source: 1)
            let inserted = buffer.insert(
                header, ticks: 960, payload: payload.span, at: .zero + .milliseconds(20 * number))
            #expect(inserted == .stored, "packet \(number)")
        }
        let counters = buffer.statistics.counters
        #expect(counters.received == 100 && counters.restarts == 0 && counters.strangers == 0)
    }
}
