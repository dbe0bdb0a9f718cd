import CProcess
import Glibc
import Platform

/// Hides the memory, with its passwords and keys, from other programs of the same user and from core dumps.
///
/// Only root can still read it. The kernel denies `/proc/PID/mem` and debuggers to all other users, and to programs of
/// the same user.
enum PrivateMemory {
    /// - Returns: Nil, or the reason of the failure, for people.
    static func hide() -> String? {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard unsafe setrlimit(Int32(RLIMIT_CORE.rawValue), &none) == 0 else { return SystemError.last }
        let refusal = cprocess_hide()
        return refusal == 0 ? nil : SystemError.text(refusal)
    }
}
