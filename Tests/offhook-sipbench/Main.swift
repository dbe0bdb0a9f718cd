import Glibc

/// The project's part of `Scripts/bench sip`.
@main struct Main {
    private static let help = """
        offhook-sipbench parse FILE…       reading and writing each message; one line a file
        offhook-sipbench calls NUMBER      calls between two lines over UDP sockets
        offhook-sipbench registrations N   memory of lines that are registered and idle
        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch (arguments.first, arguments.dropFirst().first.flatMap { Int($0) }) {
            case ("parse", nil) where arguments.count > 1: try ParseBench.run(files: arguments.dropFirst())
            case ("calls", let count?) where count > 0: try CallBench.run(calls: count)
            case ("registrations", let count?) where count > 0: try RegistrationBench.run(lines: count)
            default: throw Mistake(Self.help)
            }
        } catch {
            let text = Array("\(error)\n".utf8)
            write(STDERR_FILENO, text, text.count)
            exit(1)
        }
    }
}

struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Clocks are the machine's; the lines get a separate time.
enum Clock {
    /// This thread's processor time, in nanoseconds.
    static var processor: Double { read(CLOCK_THREAD_CPUTIME_ID) }
    /// In nanoseconds.
    static var wall: Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
