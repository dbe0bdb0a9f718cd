import Base
import Media
import PhoneCore
import Platform
import Testing

@Suite
struct ArrivalStampTests {
    private static let now = Instant(nanoseconds: 5_000_000_000)
    private static let realTime: Int64 = 1_700_000_000_000_000_000

    private static func arrival(age: Duration) -> Instant {
        ArrivalStamp(nanoseconds: realTime - age.nanoseconds).instant(realTime: realTime, now: now)
    }

    @Test(arguments: [0, 1, 9_999, 1_000_000])
    func datagramIsDatedByItsAge(microseconds: Int) {
        #expect(Self.arrival(age: .microseconds(microseconds)) == Self.now + .microseconds(-microseconds))
    }

    /// The clock of the day was set back or forward while the datagram waited.
    @Test(arguments: [-3_600_000, -1, 1_001, 3_600_000])
    func absurdAgeIsIgnored(milliseconds: Int) {
        #expect(Self.arrival(age: .milliseconds(milliseconds)) == Self.now)
    }

    @Test(arguments: [Int64.min, Int64.max])
    func stampsAtLimitsOfRangeAreIgnored(nanoseconds: Int64) {
        let arrival = ArrivalStamp(nanoseconds: nanoseconds).instant(realTime: Self.realTime, now: Self.now)
        #expect(arrival == Self.now)
    }
}

extension RealTime {
    @Suite
    struct MeasuredJitterTests {
        /// A peer whose timestamps say exactly when it sent, at an interval that is no multiple of a quantum. Dated by
        /// quanta of 10 ms, its packets would show a jitter of 3 ms.
        @Test
        func jitterIsNotMeasuredInQuanta() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            #expect(phone.connect(peer.plan))
            let start = MonotonicClock.now()
            var beats = Metronome(milliseconds: 23)
            var figures: [Double] = []
            for number in 1...500 where !figures.contains(where: { $0 < 1.5 }) {
                beats.wait()
                let ticks = UInt32((MonotonicClock.now() - start).nanoseconds / 125_000)
                peer.send(Self.packet(UInt16(number), at: ticks), to: phone.port)
                figures = phone.log.all.compactMap {
                    if case .quality(_, let quality) = $0 { quality.jitterMilliseconds } else { nil }
                }
            }
            let least = try #require(figures.min())
            #expect(least < 1.5)
        }

        private static func packet(_ number: UInt16, at ticks: UInt32) -> [UInt8] {
            let head: [UInt8] = [0x80, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
            let time = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ticks >> $0) }
            return head + time + [1, 2, 3, 4] + [UInt8](repeating: 0x55, count: 160)
        }
    }
}
