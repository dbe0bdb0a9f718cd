import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// The systemd unit: it is valid, its restrictions hold, and the phone needs nothing else.
@Suite(.serialized, .stallsForgiven) struct UnitFileTests {
    private static let unit = Workplace.root + "/systemd/offhook.service"
    private static func has(_ program: String) -> Bool { FileManager.default.fileExists(atPath: "/usr/bin/" + program) }

    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_300, firstMediaPort: 26_640))
    }

    private func lines(of key: String) throws -> [String] {
        try String(contentsOfFile: Self.unit, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix(key + "=") }
            .map { String($0.dropFirst(key.count + 1)) }
    }

    /// The installed systemd verifies the unit: it knows every key.
    @Test(.enabled(if: has("systemd-analyze"), "no systemd-analyze")) func unitFileIsValid() throws {
        let copy = workplace.path + "/offhook.service"
        // An instance of the template.
        let instance = workplace.path + "/offhook@desk1.service"
        try TextFile.write(
            String(contentsOfFile: Self.unit, encoding: .utf8)
                .replacingOccurrences(of: "/usr/bin/offhook", with: Workplace.phone), to: copy)
        try FileManager.default.copyItem(atPath: copy, toPath: instance)
        let verified = try Command(program: ["systemd-analyze", "verify", copy, instance], in: workplace)
        #expect(verified.exit == .status(0) && verified.output.isEmpty, "\(verified)")
        // In tenths: 1.5, where 10 is an unrestricted service.
        let security = try Command(
            program: ["systemd-analyze", "security", "--offline=true", "--threshold=15", copy], in: workplace)
        #expect(security.exit == .status(0), "\(security)")
    }

    /// systemd removes the runtime folder of a stopped unit with all its content, even other phones' sockets.
    @Test func runtimeFoldersOfPhonesAreSeparate() throws {
        let folder = try #require(lines(of: "RuntimeDirectory").first)
        let folders = ["offhook", "offhook@desk1"].map { unit in
            let instance = unit.split(separator: "@").dropFirst().first ?? ""
            return folder.replacingOccurrences(of: "%N", with: unit)
                .replacingOccurrences(of: "%i", with: instance) + "/"
        }
        #expect(folders[0] != folders[1] && !folders[1].hasPrefix(folders[0]), "\(folders)")
    }

    @Test func crashedPhoneIsRestartedForever() throws {
        #expect(try lines(of: "StartLimitIntervalSec") == ["0"] && lines(of: "Restart") == ["always"])
        #expect(try !lines(of: "WatchdogSec").isEmpty && !lines(of: "MemoryMax").isEmpty)
    }

    /// Goal: the phone needs no system call that the filter forbids. Method: a phone starts, makes a call with
    /// encryption, and stops. Each of its system calls is looked up in the groups of the installed systemd.
    @Test(
        .enabled(if: has("systemd-analyze") && has("strace"), "no systemd-analyze or no strace"),
        .limit(minutesEachTime: 2))
    func filterAllowsEverySystemCallInUse() throws {
        let trace = workplace.path + "/strace"
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone, prefix: ["strace", "-D", "-f", "-qq", "-o", trace])
        try phone.ask("liftHook")
        try phone.wait(for: "toneChanged", upTo: .seconds(20)) { $0.fields["tone"] == "dial" }
        try phone.ask("pressKey", ["key": "5", "holdMs": 100])
        try phone.wait(for: "panelChanged", upTo: .seconds(20)) { $0.fields["key"] == "5" }
        try phone.ask("replaceHook")
        #expect(phone.process.stop(within: .seconds(10)).exit == .status(0))
        let used = try Set(
            String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
                let call = line.drop { $0.isNumber || $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                return call.isEmpty || line.contains("resumed>") ? nil : String(call)
            })
        #expect(used.contains("mlockall") && used.count > 20, "\(used.sorted())")
        let allowed = try allowedCalls()
        #expect(allowed.contains("mlockall") && !allowed.contains("setuid") && !allowed.contains("chown"))
        #expect(used.subtracting(allowed).isEmpty, "the unit forbids \(used.subtracting(allowed).sorted())")
    }

    private func allowedCalls() throws -> Set<String> {
        let groups = try groups()
        func calls(_ name: Substring) -> Set<String> {
            guard name.hasPrefix("@") else { return [String(name)] }
            return (groups[String(name)] ?? []).reduce(into: []) { $0.formUnion(calls($1)) }
        }
        return try lines(of: "SystemCallFilter").reduce(into: calls("@default")) { allowed, line in
            let isDenied = line.hasPrefix("~")
            for name in line.drop(while: { $0 == "~" }).split(separator: " ") {
                if isDenied { allowed.subtract(calls(name)) } else { allowed.formUnion(calls(name)) }
            }
        }
    }

    private func groups() throws -> [String: [Substring]] {
        let list = try Command(program: ["systemd-analyze", "syscall-filter"], in: workplace)
        var (groups, group): ([String: [Substring]], String) = ([:], "")
        for line in list.output.split(separator: "\n") {
            if line.hasPrefix("@") { group = String(line) }
            let word = line.drop { $0 == " " }
            if line.hasPrefix(" "), !word.hasPrefix("#") { groups[group, default: []].append(word) }
        }
        return groups
    }

    /// A service manager with a watchdog gets the phone's pings.
    @Test(.limit(minutesEachTime: 1)) func watchdogIsFed() throws {
        let socket = workplace.path + "/notify"
        let listener = try NotifySocket(path: socket)
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: ["env", "NOTIFY_SOCKET=\(socket)", "WATCHDOG_USEC=300000"])
        var words: [String] = []
        while words.count(where: { $0 == "WATCHDOG=1" }) < 5, let word = listener.next(within: .seconds(5)) {
            words.append(word)
        }
        #expect(words.first == "READY=1" && words.count(where: { $0 == "WATCHDOG=1" }) == 5, "\(words)")
        phone.process.signal(SIGSTOP)
        while listener.next(within: .milliseconds(400)) != nil {}
        #expect(listener.next(within: .seconds(1)) == nil, "a stopped phone is not alive")
        phone.process.signal(SIGCONT)
        #expect(listener.next(within: .seconds(5)) == "WATCHDOG=1")
        #expect(phone.process.stop().exit == .status(0))
    }

    /// Only root can read the phone's memory, and it leaves no core dump.
    @Test(
        .enabled(if: geteuid() == 0 && has("setpriv"), "only root can change the user"), .limit(minutesEachTime: 1)
    )
    func memoryIsPrivate() throws {
        #expect(chmod(workplace.path, 0o755) == 0)
        _ = try Command(program: ["chown", "-R", "12345:12345", folder.path], in: workplace)
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups"])
        let process = "/proc/\(phone.process.identifier)"
        var status = stat()
        // The kernel gives the files of an unreadable process to root.
        #expect(stat(process + "/mem", &status) == 0 && status.st_uid == 0)
        let peek = try Command(
            program: ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "cat", process + "/environ"],
            in: workplace)
        #expect(peek.failed, "\(peek)")
        let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").filter { $0 == "0" }.count == 2, "\(core)")
        #expect(phone.process.stop().exit == .status(0))
    }
}
