import Base
import CProcess
import Glibc
import Platform

/// A program from its start until its end is noticed. It leads its own process group, so that the programs that it
/// starts end with it. Confined to the programs' thread.
final class RunningProgram {
    /// The time between SIGTERM and SIGKILL.
    private static let mercy = Duration.seconds(1)

    private enum Phase {
        case running(until: Instant)
        case terminating(until: Instant)
        case killed
    }

    /// The number of its rule.
    let number: Int
    let name: String
    let timeLimit: Duration
    var lines = OutputLines()
    private(set) var isOverdue = false
    private(set) var hasEnded = false
    private let identifier: pid_t
    /// Becomes readable when the process has ended (pidfd_open(2)).
    private let process: FileDescriptor
    private let output: FileDescriptor
    private var input: FileDescriptor?
    private var unwritten: ArraySlice<UInt8>
    private var phase: Phase
    /// It has closed its outputs.
    private var hasSilence = false

    init(_ order: Programs.Order, at now: Instant) throws(SystemFailure) {
        let rule = order.rule
        let given = try Pipe()
        let said = try Pipe()
        try Pipe.doNotWait(on: given.writing)
        try Pipe.doNotWait(on: said.reading)
        identifier = try ChildProcess.start(
            rule.command, event: order.event, input: given.reading.number, output: said.writing.number)
        let opened = cprocess_open_process(identifier)
        guard opened >= 0 else {
            let code = errno
            _ = Glibc.kill(-identifier, SIGKILL)
            _ = waitpid(identifier, nil, 0)
            throw SystemFailure("a process cannot be watched", code)
        }
        process = FileDescriptor(owning: opened)
        (number, name, timeLimit) = (order.number, rule.program, rule.timeLimit)
        phase = .running(until: now + rule.timeLimit)
        unwritten = order.input[...]
        output = said.keepReading()
        input = given.keepWriting()
        write()
    }

    /// When its time is over; nil after SIGKILL.
    var deadline: Instant? {
        switch phase {
        case .running(let until), .terminating(let until): until
        case .killed: nil
        }
    }

    /// The descriptors that the thread polls for it.
    var awaited: [pollfd] {
        var entries = [
            pollfd(fd: process.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasSilence ? -1 : output.number, events: Int16(POLLIN), revents: 0),
        ]
        if let number = inputNumber { entries.append(pollfd(fd: number, events: Int16(POLLOUT), revents: 0)) }
        return entries
    }

    private var inputNumber: Int32? { input?.number }

    /// Writes as much of the event as the pipe takes. Closes the pipe after the last byte.
    func write() {
        guard let number = inputNumber else { return }
        while !unwritten.isEmpty {
            let count = unsafe unwritten.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            // A program that reads nothing may close its end.
            guard count > 0 else { break }
            unwritten = unwritten.dropFirst(count)
        }
        input = nil
    }

    /// The new lines of its output.
    func read() -> [String] {
        var found: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        // It may write faster than this reads. The next call reads the rest.
        for _ in 0..<16 where !hasSilence {
            let count = unsafe Glibc.read(output.number, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            hasSilence = count <= 0
            found += lines.push(bytes.prefix(max(0, count)))
        }
        return found
    }

    /// Ends it when its time is over: first SIGTERM, then SIGKILL.
    func keepTime(at now: Instant) {
        guard !hasEnded, let deadline, now >= deadline else { return }
        switch phase {
        case .running:
            isOverdue = true
            terminate(at: now)
        case .terminating: kill()
        case .killed: break
        }
    }

    func terminate(at now: Instant) {
        _ = Glibc.kill(-identifier, SIGTERM)
        phase = .terminating(until: now + Self.mercy)
    }

    func kill() {
        _ = Glibc.kill(-identifier, SIGKILL)
        phase = .killed
    }

    /// Its exit; nil while it runs. This also ends the processes that it left running in its group.
    func reap(isWaiting: Bool) -> ProgramExit? {
        guard !hasEnded else { return nil }
        var entry = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, isWaiting ? -1 : 0) == 1 else { return nil }
        // The group keeps its number until the process is waited for.
        _ = Glibc.kill(-identifier, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
}

/// Starts a program that inherits only its two pipes from the phone.
enum ChildProcess {
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - output: Its standard output and standard error.
    /// - Returns: Its process identifier, which is also that of its process group.
    static func start(
        _ command: [String], event: String, input: Int32, output: Int32
    ) throws(SystemFailure) -> pid_t {
        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "OFFHOOK_EVENT=" + event]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let failure = unsafe cprocess_spawn(&identifier, &arguments, &variables, input, output)
        guard failure == 0 else { throw SystemFailure(command[0], failure) }
        return identifier
    }
}

/// A pipe that closes both ends with its owner. Programs do not inherit it.
struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(SystemFailure) {
        var ends: InlineArray<2, Int32> = [-1, -1]
        var span = ends.mutableSpan
        let failure = unsafe span.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe cprocess_pipe($0) } ?? -1
        }
        guard failure == 0 else { throw SystemFailure("a pipe cannot be made", errno) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// Keeps one end and closes the other.
    consuming func keepReading() -> FileDescriptor { reading }
    consuming func keepWriting() -> FileDescriptor { writing }

    /// Makes one end non-blocking. The other end, which a program gets, blocks as usual.
    static func doNotWait(on end: borrowing FileDescriptor) throws(SystemFailure) {
        guard fcntl(end.number, F_SETFL, O_NONBLOCK) == 0 else { throw SystemFailure("a pipe cannot be used", errno) }
    }
}

/// The lines of a program's output, limited in number and length for the log. The rest is dropped.
package struct OutputLines: Equatable, Sendable {
    package static let mostLines = 8
    package static let longestLine = 256

    private var line: [UInt8] = []
    private var count = 0
    private var isOverlong = false

    package init() {}

    /// - Returns: The lines that ended in these bytes.
    package mutating func push(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes where count < Self.mostLines {
            if byte == UInt8(ascii: "\n") {
                if let line = take() { lines.append(line) }
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return lines
    }

    /// The last line, which has no line break.
    package mutating func finish() -> String? { count < Self.mostLines ? take() : nil }

    private mutating func take() -> String? {
        defer { (line, isOverlong) = ([], false) }
        guard !line.isEmpty else { return nil }
        count += 1
        let isLast = count == Self.mostLines
        return String(decoding: line, as: UTF8.self) + (isOverlong || isLast ? " …" : "")
    }
}
