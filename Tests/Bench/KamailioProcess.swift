import Base
import Glibc

/// A running Kamailio with any configuration.
public final class KamailioProcess {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    public static let program = "/usr/sbin/kamailio"
    public static var isInstalled: Bool { unsafe access(program, X_OK) == 0 }

    /// Whether Debian's package of this module is installed.
    public static func knows(_ module: String) -> Bool {
        ["x86_64", "aarch64"].contains {
            unsafe access("/usr/lib/\($0)-linux-gnu/kamailio/modules/\(module).so", F_OK) == 0
        }
    }

    private let process: ChildProcess
    private let log: String

    /// Starts it and waits until it answers.
    /// - Parameters:
    /// - script: Its configuration, which includes listening on UDP.
    /// - inquiry: A request there that shows whether it is up.
    /// - megabytes: Its memory, shared and per process. TLS needs more of it.
    public convenience init(
        folder: String, script: String, inquiry: Inquiry, megabytes: (shared: Int, own: Int) = (16, 4)
    ) throws {
        try self.init(folder: folder, script: script, megabytes: megabytes) { _ in
            inquiry.status(of: "127.0.0.1", upTo: .milliseconds(100)) == 200
        }
    }

    /// - Parameters:
    /// - prefix: Words before its command that run it on another host.
    /// - isUp: Whether the process with this identifier answers.
    public init(
        folder: String, script: String, megabytes: (shared: Int, own: Int) = (16, 4), prefix: [String] = [],
        isUp: (pid_t) -> Bool
    ) throws {
        try TextFile.makeFolder(folder)
        try TextFile.write(script, to: folder + "/kamailio.cfg")
        log = folder + "/log"
        // In the foreground with its children, logging to standard error, with little memory, in its own folder.
        process = try ChildProcess(
            prefix + [
                Self.program, "-DD", "-E", "-m", "\(megabytes.shared)", "-M", "\(megabytes.own)",
                "-f", folder + "/kamailio.cfg", "-Y", folder, "-P", folder + "/pid",
            ], log: log)
        try waitUntil(isUp)
    }

    deinit { _ = stop() }

    /// The log of its script.
    public var said: String { (try? TextFile.read(log)) ?? "" }

    /// Ends it. It ends its children; children that are left are ended here.
    @discardableResult
    public func stop() -> ChildProcess.Exit? {
        let children = process.poll() == nil ? self.children : []
        let exit = process.stop().exit
        if exit != .status(0) { for child in children { kill(child, SIGKILL) } }
        return exit
    }

    private func waitUntil(_ isUp: (pid_t) -> Bool) throws {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end, process.poll() == nil {
            if isUp(process.identifier) { return }
            MonotonicTime.sleep(.milliseconds(5))
        }
        stop()
        throw Failure(description: "kamailio did not come up: \(said)")
    }

    private var children: [pid_t] {
        let list = "/proc/\(process.identifier)/task/\(process.identifier)/children"
        return ((try? TextFile.read(list)) ?? "").split(separator: " ").compactMap {
            pid_t($0)
        }
    }
}

extension KamailioProcess {
    /// The common start of configurations.
    public static let foundation = """
        #!KAMAILIO
        debug=1
        log_stderror=yes
        children=1
        tcp_children=1
        # Its children may lock one another out when they are to end (5.6.3): then it ends them by force.
        exit_timeout=1
        auto_aliases=no

        loadmodule "tm.so"
        loadmodule "tmx.so"
        loadmodule "sl.so"
        loadmodule "rr.so"
        loadmodule "pv.so"
        loadmodule "maxfwd.so"
        loadmodule "textops.so"
        loadmodule "siputils.so"
        loadmodule "xlog.so"
        """
}
