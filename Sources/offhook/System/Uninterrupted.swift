import Glibc

/// Work that a signal must not cut in two: files that belong together, or a folder that has to be removed again.
enum Uninterrupted {
    /// A signal that comes meanwhile ends the program afterwards. Threads that are started meanwhile do not get it.
    static func run<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        var (blocked, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&blocked)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&blocked, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try work()
    }
}
