import Base
import Media
import PhoneCore
import Synchronization
import Testing

extension RealTime {
    /// Whether the threads of sound live, as a watchdog asks.
    @Suite
    struct ProbeTests {
        @Test
        func livingThreadsAnswerEachTime() throws {
            let phone = try TestPhone()
            #expect(phone.media.lastAnswer == nil)
            var last: Instant?
            for _ in 0..<5 {
                #expect(phone.media.isAlive())
                listen(milliseconds: 100)
                let answer = try #require(phone.media.lastAnswer)
                #expect(last.map { $0 < answer } ?? true)
                last = answer
            }
            let call = try TestCall()
            #expect(call.isUp())
            for _ in 0..<5 {
                #expect(call.a.media.isAlive())
                listen(milliseconds: 100)
            }
        }

        /// The thread that tells of calls is stuck in whoever is told that nothing is heard.
        @Test
        func aThreadThatHangsIsKnown() throws {
            let gate = Mutex(())
            var settings = WireRig.installed.device().settings
            settings.silenceAfter = .milliseconds(200)
            let media = Media(
                settings: settings, post: { if case .silent = $0 { gate.withLock { _ in } } })
            try media.configure()
            let other = try TestPhone()
            #expect(other.open())
            gate.withLock { _ in
                media.perform(.open(TestPhone.call, .direct))
                media.perform(.connect(TestPhone.call, other.plan(to: other, milliseconds: 20, protection: nil)))
                media.perform(.activate(TestPhone.call))
                listen(milliseconds: 800)
                _ = media.isAlive()
                listen(milliseconds: 300)
                #expect(!media.isAlive())
            }
            listen(milliseconds: 300)
            #expect(media.isAlive())
            media.close()
            #expect(media.isAlive(), "no thread is none that hangs")
        }
    }
}
