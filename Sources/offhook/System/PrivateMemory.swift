import CProcess
import Glibc
import Platform

/// Keeps what is in memory, passwords and keys, from other programs of the same user and out of core dumps.
///
/// Root can still read it, and only root: the kernel then shows no other user `/proc/PID/mem`, and no debugger attaches.
enum PrivateMemory {
    /// - Returns: nil, or why not, for people.
    static func hide() -> String? {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard unsafe setrlimit(Int32(RLIMIT_CORE.rawValue), &none) == 0 else { return SystemError.last }
        let refusal = cprocess_hide()
        return refusal == 0 ? nil : SystemError.text(refusal)
    }
}
