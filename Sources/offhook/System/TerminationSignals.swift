import Glibc

/// The signals that ask a program to end. A thread waits for them; there is no handler.
struct TerminationSignals {
    /// The signal by which a phone asks itself to start again.
    static let restart = "SIGUSR1"

    private static let names = [
        SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGHUP: "SIGHUP", SIGUSR1: restart,
        SIGUSR2: "SIGUSR2", SIGALRM: "SIGALRM", SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF", SIGPOLL: "SIGPOLL",
        SIGPWR: "SIGPWR",
    ]
    /// A phone goes on when these come: SIGHUP is a terminal that closes, or somebody who expects a service to read its
    /// configuration again, and nobody means the end of a call by the others.
    private static let ignored = [SIGHUP, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR]

    private let set: sigset_t
    private let isPhone: Bool

    /// Blocks them for this thread and every thread that it starts later. A broken pipe, or a file that may not grow,
    /// gives an error and does not end the program.
    /// - Parameter isPhone: Whether the program is a phone: it ends to start again, too, and goes on at SIGHUP.
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

    /// Whether one has come that nobody has waited for.
    var isPending: Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return [SIGTERM, SIGINT, SIGQUIT, SIGHUP].contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Blocks until one comes that ends the program; returns its name.
    /// - Parameters:
    ///   - ignoring: Called with the name of one that does not.
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

    /// Wakes a phone's thread that waits. From any thread.
    static func wake() { _ = kill(getpid(), SIGUSR2) }

    /// Ends the wait of a program whose signals are blocked. From any thread.
    static func askForEnd() { _ = kill(getpid(), SIGTERM) }

    /// Ends the wait of a phone whose signals are blocked. From any thread.
    static func askForRestart() { _ = kill(getpid(), SIGUSR1) }
}
