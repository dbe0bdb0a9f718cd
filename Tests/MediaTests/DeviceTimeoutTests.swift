import Base
import Media
import Testing

@Suite struct DeviceTimeoutTests {
    private func instant(_ milliseconds: Int) -> Instant { Instant.zero + .milliseconds(milliseconds) }

    @Test func motionlessDeviceFailsAfterOneSecond() {
        var timeout = DeviceTimeout()
        timeout.progress(at: instant(5_000))
        let over = stride(from: 5_000, to: 7_000, by: 100).first { timeout.isOver(at: instant($0)) }
        #expect(over == 6_100)
    }

    @Test func slowDeviceDoesNotFail() {
        var timeout = DeviceTimeout()
        for second in 0..<10 {
            timeout.progress(at: instant(second * 1_000))
            for look in 0..<10 {
                let isOver = timeout.isOver(at: instant(second * 1_000 + look * 100))
                #expect(!isOver)
            }
        }
    }

    /// The thread read the clock, stalled, and checked the device; or it stalled before it read the clock.
    @Test(arguments: [1_300, 5_000, 86_400_000])
    func stalledThreadBlamesNoDevice(milliseconds: Int) {
        var timeout = DeviceTimeout()
        timeout.progress(at: instant(0))
        let isOver = timeout.isOver(at: instant(milliseconds))
        #expect(!isOver)
        let over = stride(from: 100, to: 2_000, by: 100).first { timeout.isOver(at: instant(milliseconds + $0)) }
        #expect(over == 900)
    }
}
