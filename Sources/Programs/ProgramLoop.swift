import Base
import CProcess  // For poll.h, which it brings.
import Glibc
import Platform
import Synchronization

/// The programs' thread: starts programs, writes their events, reads their output, and collects their exit statuses.
final class ProgramLoop {
    /// The time that programs have to end when the phone ends.
    private static let gracePeriod = Duration.milliseconds(100)

    private let owner: Programs
    private var running: [RunningProgram] = []

    init(_ owner: Programs) { self.owner = owner }

    func run() {
        var end: Instant?
        while true {
            let (orders, isClosed) = owner.state.withLock { state in
                defer { state.orders = [] }
                return (state.orders, state.isClosed)
            }
            let now = MonotonicClock.now()
            if isClosed {
                if end == nil { for program in running { program.terminate(at: now) } }
                end = end ?? now + Self.gracePeriod
                if let end, running.isEmpty || now >= end { break }
            } else {
                for order in orders { start(order, at: now) }
            }
            wait(until: [end, running.compactMap(\.deadline).min()].compactMap { $0 }.min())
            attend(at: MonotonicClock.now())
        }
        for program in running {
            program.kill()
            _ = program.reap(isWaiting: true)
        }
    }

    private func start(_ order: Programs.Order, at now: Instant) {
        do throws(SystemFailure) {
            running.append(try RunningProgram(order, at: now))
        } catch {
            fail(.cannotStart, .cannotStart(order.rule.program, SystemError.text(error.code)))
            owner.state.withLock { $0.limits.ended(order.number) }
        }
    }

    private func fail(_ failure: ProgramStatistics.Failure, _ report: ProgramReport) {
        owner.state.withLock { $0.failed[failure, default: 0] += 1 }
        owner.report(report)
    }

    private func wait(until deadline: Instant?) {
        var entries = [pollfd(fd: owner.wakeSignal.descriptor, events: Int16(POLLIN), revents: 0)]
        for program in running { entries += program.awaited }
        let count = entries.count
        unsafe entries.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { unsafe Poll.wait(start, count: count, until: deadline) }
        }
        owner.wakeSignal.clear()
    }

    /// Serves every program. It never waits.
    private func attend(at now: Instant) {
        for program in running {
            program.write()
            tellOutput(of: program)
            program.keepTime(at: now)
            guard let exit = program.reap(isWaiting: false) else { continue }
            tellOutput(of: program)
            if let line = program.lines.finish() { owner.report(.said(program.name, line)) }
            if program.isOverdue {
                fail(.tooLong, .tookTooLong(program.name, program.timeLimit))
            } else if exit != .status(0) {
                fail(.exit, .failed(program.name, exit))
            }
            owner.state.withLock { $0.limits.ended(program.number) }
        }
        running.removeAll { $0.hasEnded }
    }

    private func tellOutput(of program: RunningProgram) {
        for line in program.read() { owner.report(.said(program.name, line)) }
    }
}
