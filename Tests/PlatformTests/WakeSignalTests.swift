import Base
import Foundation
import Platform
import Synchronization
import Testing

@Suite("Waking a thread")
struct WakeSignalTests {
    @Test("a signal before the sleep is not lost, and many signals are one")
    func signalBeforeSleepIsNotLostAndManySignalsAreOne() throws {
        let signal = try WakeSignal()
        for _ in 0..<3 { signal.raise() }
        signal.wait(until: nil)
        let start = MonotonicClock.now()
        signal.wait(until: start + .milliseconds(20))
        #expect(MonotonicClock.now() - start >= .milliseconds(20))
    }

    @Test("a passed deadline is not waited for")
    func passedDeadlineIsNotWaitedFor() throws {
        let start = MonotonicClock.now()
        try WakeSignal().wait(until: start - .seconds(1))
        #expect(MonotonicClock.now() - start < .seconds(1))
    }

    @Test("another thread wakes the sleeping one")
    func anotherThreadWakesSleepingOne() throws {
        let (signal, back) = (try WakeSignal(), try WakeSignal())
        let thread = try NamedThread(name: "sleeper") {
            signal.wait(until: nil)
            back.raise()
        }
        signal.raise()
        back.wait(until: nil)
        thread.join()
    }

    @Test("another descriptor wakes, too, and is distinguished")
    func anotherDescriptorWakesTooAndIsDistinguished() throws {
        let (signal, other) = (try WakeSignal(), try WakeSignal())
        other.raise()
        #expect(signal.wait(until: nil, beside: other.descriptor))
        other.clear()
        signal.raise()
        #expect(!signal.wait(until: nil, beside: other.descriptor))
    }
}

@Suite("Threads and errors of the system")
struct NamedThreadTests {
    @Test("a thread has its name, and has ended after join")
    func threadHasItsNameAndHasEndedAfterJoin() throws {
        let name = Mutex("")
        let thread = try NamedThread(name: "fifteen-letters", stackBytes: 256 * 1_024) {
            var bytes = [UInt8](repeating: 0, count: 32)
            let file = open("/proc/thread-self/comm", O_RDONLY)
            let count = read(file, &bytes, bytes.count)
            close(file)
            name.withLock { $0 = String(decoding: bytes[..<max(0, count)], as: UTF8.self) }
        }
        thread.join()
        #expect(name.withLock { $0 } == "fifteen-letters\n")
    }

    @Test("real-time threads are audio threads, and audio precedes the network")
    func realTimeThreadsAreAudioThreadsAndAudioPrecedesNetwork() {
        let real = ThreadRole.allCases.filter { $0.priority != nil }
        #expect(real == [.mediaAudio, .mediaNetwork])
        #expect((ThreadRole.mediaAudio.priority ?? 0) > (ThreadRole.mediaNetwork.priority ?? 0))
        #expect(ThreadRole.allCases.allSatisfy { $0.rawValue.utf8.count <= 15 })
    }

    @Test("the architecture document has the code's table of threads")
    func architectureDocumentHasCodeTableOfThreads() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("docs/dev/architecture.md"), encoding: .utf8)
        #expect(document.contains(ThreadRole.table.joined(separator: "\n")), "offhook threads prints it")
    }

    @Test("errors have the system's text")
    func errorsHaveSystemText() {
        #expect(SystemError.text(ENOSPC) == "No space left on device")
        #expect("\(SystemFailure("it cannot be made", EMFILE))" == "it cannot be made: Too many open files")
    }
}
