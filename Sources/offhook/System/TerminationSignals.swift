import Glibc

/// The signals that ask a program to end. A thread waits for them; there is no handler.
struct TerminationSignals {
    /// The signal by which a phone asks itself to start again.
    static let restart = "SIGUSR1"

    private let set: sigset_t

    /// Blocks them for this thread and every thread that it starts later. A broken pipe, or a file that may not grow,
    /// gives an error and does not end the program.
    /// - Parameter restarts: Whether it ends to start again, too.
    static func block(restarts: Bool = false) -> TerminationSignals {
        Glibc.signal(SIGPIPE, SIG_IGN)
        Glibc.signal(SIGXFSZ, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        if restarts { unsafe sigaddset(&set, SIGUSR1) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        return TerminationSignals(set: set)
    }

    /// Whether one has come that nobody has waited for.
    var isPending: Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return unsafe sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
    }

    /// Blocks until one comes; returns its name.
    func wait() -> String {
        var set = set
        var number: Int32 = 0
        while unsafe sigwait(&set, &number) != 0 {}
        return switch number {
        case SIGTERM: "SIGTERM"
        case SIGUSR1: Self.restart
        default: "SIGINT"
        }
    }

    /// Ends the wait of a program whose signals are blocked. From any thread.
    static func askForEnd() { _ = kill(getpid(), SIGTERM) }

    /// Ends the wait of a program whose signals are blocked with `restarts`. From any thread.
    static func askForRestart() { _ = kill(getpid(), SIGUSR1) }
}
