import Glibc

/// The signals that ask a program to end. A thread waits for them; there is no signal handler.
struct TerminationSignals {
    /// The signal with which a phone restarts itself.
    static let restart = "SIGUSR1"
    /// The signal with which a phone reads its configuration again. It also comes when a terminal closes.
    static let reload = "SIGHUP"

    private static let names = [
        SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGHUP: reload, SIGUSR1: restart,
        SIGUSR2: "SIGUSR2", SIGALRM: "SIGALRM", SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF", SIGPOLL: "SIGPOLL",
        SIGPWR: "SIGPWR",
    ]
    /// Signals that do not end a phone, because nobody sends them to end calls.
    private static let ignored = [SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR]

    private let set: sigset_t
    private let isPhone: Bool

    /// Blocks the signals for this thread and every thread that it starts later. A broken pipe, or a file over its size
    /// limit, then gives an error and does not end the program.
    /// - Parameter isPhone: Whether the program is a phone: it also ends to restart, and other signals do not end it.
    static func block(isPhone: Bool = false) -> TerminationSignals {
        Glibc.signal(SIGPIPE, SIG_IGN)
        Glibc.signal(SIGXFSZ, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGQUIT, SIGHUP] + (isPhone ? [SIGUSR1] + ignored : []) {
            unsafe sigaddset(&set, number)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        return TerminationSignals(set: set, isPhone: isPhone)
    }

    /// Whether a signal to end is pending that no thread has waited for.
    var isPending: Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return [SIGTERM, SIGINT, SIGQUIT, SIGHUP].contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Blocks until a signal arrives that ends the program; returns its name.
    /// - Parameters:
    ///   - ignoring: Called with the name of a signal that does not end it.
    ///   - woken: Called for the signal of `wake`. Returns whether the program itself has sent it.
    func wait(ignoring: (String) -> Void = { _ in }, woken: () -> Bool = { false }) -> String {
        var set = set
        while true {
            var number: Int32 = 0
            guard unsafe sigwait(&set, &number) == 0 else { continue }
            let name = Self.names[number] ?? "signal \(number)"
            guard isPhone, Self.ignored.contains(number) else { return name }
            if number != SIGUSR2 || !woken() { ignoring(name) }
        }
    }

    /// Wakes the waiting thread of a phone. From any thread.
    static func wake() { _ = kill(getpid(), SIGUSR2) }

    /// Ends the wait of a program whose signals are blocked. From any thread.
    static func askForEnd() { _ = kill(getpid(), SIGTERM) }

    /// Ends the wait of a phone whose signals are blocked. From any thread.
    static func askForRestart() { _ = kill(getpid(), SIGUSR1) }
}

/// Runs work that a signal must not interrupt, such as writing files that belong together.
enum Uninterrupted {
    /// A signal during the work ends the program afterwards. Threads that start during the work do not get it.
    static func run<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        var (blocked, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&blocked)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&blocked, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try work()
    }
}
