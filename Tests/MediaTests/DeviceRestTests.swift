import Base
import Media
import RTPCore
import Testing

/// The audio thread with a device that wakes it in vain, in simulated time.
@Suite struct DeviceRestTests {
    private let start = Instant.zero + .seconds(50)

    /// A descriptor that is always ready, with a quantum every 10 ms: ALSA's `pulse` plug-in.
    @Test func alwaysReadyDeviceIsPolledAtMostTwicePerQuantum() {
        var rest = DeviceRest(period: .milliseconds(10))
        var (now, asked, moved) = (start, 0, start)
        while now < start + .seconds(1) {
            guard rest.isOver(at: now) else {
                now = rest.end ?? now
                continue
            }
            rest.wake()
            asked += 1
            if now - moved >= .milliseconds(10) {
                moved = moved + .milliseconds(10)
                rest.hasMoved(at: now)
            } else {
                rest.hasNothing(at: now)
            }
            now = now + .microseconds(50)
        }
        #expect((100...220).contains(asked), "\(asked) times in a second")
    }

    /// A dead sound server: always ready, and no data ever comes.
    @Test func stuckDeviceIsPolledOncePerQuantum() {
        var rest = DeviceRest(period: .milliseconds(10))
        rest.hasMoved(at: start)
        var (now, asked) = (start, 0)
        while now < start + .seconds(1) {
            guard rest.isOver(at: now) else {
                now = rest.end ?? now
                continue
            }
            rest.wake()
            asked += 1
            rest.hasNothing(at: now)
        }
        #expect(asked <= 110, "\(asked) times in a second")
    }

    @Test func otherWakeUpsKeepDeviceDescriptors() {
        var rest = DeviceRest(period: .milliseconds(10))
        rest.hasMoved(at: start)
        rest.hasNothing(at: start + .milliseconds(5))
        let isWatched = rest.isOver(at: start + .milliseconds(5))
        #expect(isWatched)
    }

    /// The kernel returns EAGAIN while a card wakes up.
    @Test func suspendedDeviceRestsBetweenAttemptsAndFailsAfterFiveSeconds() {
        var rest = DeviceRest(period: .milliseconds(10))
        var (now, attempts) = (start, 0)
        while now < start + .seconds(10) {
            rest.wake()
            if rest.mayAsk(at: now) {
                attempts += 1
                if !rest.isSuspended(at: now) { break }
                let isWatched = rest.isOver(at: now)
                #expect(!isWatched)
            }
            now = now + .milliseconds(1)
        }
        #expect((200...300).contains(attempts), "\(attempts)")
        #expect((.seconds(4) ... .seconds(6)).contains(now - start), "\(now - start)")
        rest.hasMoved(at: now)
        let mayAsk = rest.mayAsk(at: now)
        #expect(mayAsk)
    }

    @Test func immediateTransferIsMeasuredWithoutOutliers() {
        var meter = BurstMeter()
        var now = start
        func takes(_ quanta: Int) {
            now = now + .milliseconds(10)
            for quantum in 0..<quanta {
                #expect(meter.burst(at: now).before == quantum * 480)
                meter.take(480, at: now)
            }
        }
        takes(2)
        for _ in 0..<20 { takes(1) }
        takes(3)
        for _ in 0..<20 {
            takes(1)
            #expect(meter.burst(at: now + .milliseconds(10)).atOnce == 480)
        }
        for _ in 0..<10 { takes(10) }
        #expect(meter.burst(at: now + .milliseconds(100)) == .init(before: 0, atOnce: 4_800))
    }
}
