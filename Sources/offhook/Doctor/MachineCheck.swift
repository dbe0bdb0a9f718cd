import Base
import Glibc
import Platform

/// Checks the machine: clock, memory, priorities, disk space.
package enum MachineCheck {
    /// The priority of the audio thread (`ThreadRole`).
    private static let priority: rlim_t = 20
    /// Free bytes on the disk below which the vault cannot write.
    private static let leastRoom: UInt64 = 4 << 20
    private static let enoughRoom: UInt64 = 64 << 20

    static func findings() -> [DoctorFinding] { [clock(), realTime(), memory()] }

    private static func clock() -> DoctorFinding {
        var status = stat()
        let installed = unsafe stat("/proc/self/exe", &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
        return clock(at: RealTimeClock.now(), installed: installed)
    }

    /// A clock that is behind this program was not set since the machine's start. The date of the program's file is not
    /// enough, because the same wrong clock may have written it.
    /// - Parameters:
    ///   - now: In nanoseconds since 1970.
    ///   - installed: When the program's file was written, in seconds since 1970.
    package static func clock(at now: Int64, installed: Int64?) -> DoctorFinding {
        guard let time = CalendarTime(now, in: .local) else {
            return .fail("clock", "its time is outside the calendar", setClock)
        }
        let shown = "\(time.date) \(time.timeOfDay)"
        let seconds = now / 1_000_000_000
        guard seconds >= ProgramVersion.written else {
            return .fail("clock", "\(shown) is before this program was written, so certificates look invalid", setClock)
        }
        guard seconds >= installed ?? 0 else {
            return .fail(
                "clock", "\(shown) is before this program was installed, so certificates look invalid", setClock)
        }
        return .ok("clock", shown)
    }

    private static let setClock = "timedatectl set-ntp true"

    private static func realTime() -> DoctorFinding {
        guard geteuid() != 0 else { return .ok("priority", "root may use it, and the service's unit permits it") }
        var limit = rlimit()
        unsafe getrlimit(Int32(__RLIMIT_RTPRIO.rawValue), &limit)
        guard limit.rlim_cur < priority else { return .ok("priority", "audio may run before other programs") }
        return .warn(
            "priority", "if \(user) starts the phone, audio has no priority over other programs",
            "use the service, or set LimitRTPRIO (limits.conf)")
    }

    private static func memory() -> DoctorFinding {
        guard geteuid() != 0 else {
            return .ok("memory lock", "root may lock memory, and the service's unit permits it")
        }
        var limit = rlimit()
        unsafe getrlimit(Int32(__RLIMIT_MEMLOCK.rawValue), &limit)
        guard limit.rlim_cur != .max else { return .ok("memory lock", "permitted") }
        return .warn(
            "memory lock", "if \(user) starts the phone, audio may drop out under memory pressure",
            "use the service, or set LimitMEMLOCK (limits.conf)")
    }

    private static let user = "this user"

    /// - Parameter file: The vault. Its folder is checked.
    static func disk(of file: String) -> [DoctorFinding] {
        var figures = statvfs()
        guard unsafe statvfs(file.openedFolder, &figures) == 0 else {
            return [.fail("disk", "\(file.openedFolder): \(SystemError.last)", "create it with `offhook setup`")]
        }
        let room = UInt64(figures.f_bavail) * UInt64(figures.f_frsize)
        let text = "\(room >> 20) MiB free in \(file.openedFolder)"
        if room < leastRoom { return [.fail("disk", text, "free some space")] }
        return [room < enoughRoom ? .warn("disk", text, "free some space") : .ok("disk", text)]
    }
}
