import Glibc

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
