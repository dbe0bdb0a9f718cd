import Base
import Glibc
import Media
import PhoneCore
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

/// Checks whether the configured sound devices can be opened.
struct SoundCheck {
    let settings: Settings
    let phone: RunningState

    func findings() -> [DoctorFinding] {
        let media = settings.media
        var findings = Route.allCases.filter { media.devices[$0] != nil }.map { finding($0, media) }
        if media.ringer != nil, !phone.isRunning {
            findings.append(Self.finding("ringer") { () throws(MediaError) in try SoundTrial.ringer(media) })
        }
        return findings
    }

    private func finding(_ route: Route, _ media: MediaSettings) -> DoctorFinding {
        let name = route.rawValue
        // A device has one user, and the phone reports lost devices itself.
        guard !phone.isRunning else {
            return phone.hasLost(name)
                ? .fail(name, "the running phone has lost its device", Self.advice)
                : .ok(name, "the running phone has its device")
        }
        return Self.finding(name) { () throws(MediaError) in try SoundTrial(media, route: route).sizes }
    }

    private static let advice = "compare it with `offhook audio list`, or run `offhook setup`"

    private static func finding(_ check: String, _ open: () throws(MediaError) -> String) -> DoctorFinding {
        do throws(MediaError) {
            return .ok(check, try open())
        } catch {
            return .fail(check, "\(error)", advice)
        }
    }
}

/// Checks whether the first line can bind its configured port.
struct PortCheck {
    let settings: Settings
    let phone: RunningState

    func findings() -> [DoctorFinding] {
        let sip = settings.configuration.sip
        // A running phone uses the port, and with port 0 the kernel chooses one.
        guard !phone.isRunning, sip.port != 0 else { return [] }
        let faults = sip.addresses.filter { IPAddress($0)?.isVersion6 == false }.compactMap { host in
            UDPPort.fault(host, sip.port).map { "UDP port \(sip.port) at \(host): \($0)" }
        }
        guard !faults.isEmpty else { return [.ok("port", "UDP port \(sip.port) is free")] }
        return faults.map { .fail("port", $0, "end the program that uses it (`ss -ulpn`), or set sip.port") }
    }
}

/// Checks UDP ports of this machine by binding them for a moment.
enum UDPPort {
    /// An unused port on loopback. Another program could take it before it is used. That is unlikely, because the
    /// kernel does not hand it out again soon.
    static func free() throws(CommandError) -> UInt16 {
        switch bound("127.0.0.1", 0) {
        case .success(let port): return port
        case .failure(let error): throw CommandError("no free UDP port: \(SystemError.text(error.code))")
        }
    }

    /// The system's reason why a port cannot be used; nil if it can.
    /// - Parameter host: A numeric IPv4 address.
    static func fault(_ host: String, _ port: UInt16) -> String? {
        switch bound(host, port) {
        case .success: nil
        case .failure(let error): SystemError.text(error.code)
        }
    }

    private struct Refusal: Error {
        let code: Int32
    }

    private static func bound(_ host: String, _ port: UInt16) -> Result<UInt16, Refusal> {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return .failure(Refusal(code: errno)) }
        defer { _ = close(number) }
        guard let own = TransportAddress(host: host, port: port) else { return .failure(Refusal(code: EINVAL)) }
        guard unsafe own.withSystemAddress({ unsafe bind(number, $0, $1) }) == 0,
            let bound = TransportAddress(boundBy: number)
        else { return .failure(Refusal(code: errno)) }
        return .success(bound.port)
    }
}
