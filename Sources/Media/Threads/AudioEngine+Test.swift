import Base
import PhoneCore
import Platform
import SoundCore

/// A test of a route's microphone and loudspeaker that is under way.
struct RunningTest: Sendable {
    let number: UInt32
    let route: Route
    var check = SoundCheck()
}

/// The test of microphone and loudspeaker. It uses the devices as a call does, and any other use ends it.
extension AudioEngine {
    /// Takes a quantum from the microphone before voice processing.
    mutating func continueTest(_ count: Int) {
        let isWorking = captureDevice.stream != nil && playbackDevice.stream != nil
        guard var test else { return }
        let step = captureDevice.samples.read(0..<count) { test.check.hear($0, isWorking: isWorking) }
        self.test = test
        switch step {
        case .goOn: break
        case .play: notes.start(context.tones.notes)
        case .over(.heard(let before, let during)):
            context.tell(.soundTested(test.number, before: Float(before), during: Float(during)))
            endTest()
        case .over(.noDevice):
            context.tell(.soundUntested(test.number))
            endTest()
        }
    }

    /// Releases the devices at once, so that they are free for a call on another route.
    mutating func endTest() {
        guard test != nil else { return }
        test = nil
        notes.stop()
        lastNeeded = MonotonicClock.now() - linger
    }
}
