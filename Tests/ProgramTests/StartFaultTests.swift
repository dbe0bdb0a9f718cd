import Base
import Bench
import Control
import Foundation
import Glibc
import HostStalls
import JSON
import Rig
import Testing

/// A fault in a part that no call needs does not stop the start: it is reported, and retried until it works.
@Suite(.serialized, .stallsForgiven) struct StartFaultTests {
    private static let (sip, http): (UInt16, UInt16) = (26_760, 26_770)

    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        var settings = PhoneFolder.Settings(port: Self.sip, firstMediaPort: 26_780)
        settings.peers = ["127.0.0.1"]
        folder = try workplace.phoneFolder("phone", settings)
    }

    private func configure(_ place: String, _ more: String) throws {
        let plain = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        let with = plain.replacingOccurrences(of: place, with: place + more)
        #expect(with != plain)
        try TextFile.write(with, to: folder.configuration)
    }

    private func expectCallsWork() throws {
        let status = try Inquiry(port: Self.sip).status(of: "102@127.0.0.1:\(Self.sip)", upTo: .seconds(5))
        #expect(status != nil)
    }

    private func faults(of phone: RigPhone) throws -> String {
        let snapshot = try phone.ask("getSnapshot")
        return snapshot["faults"]?.array?.compactMap(\.string).joined(separator: "; ") ?? "-"
    }

    private func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end {
            if try condition() { return true }
            MonotonicTime.sleep(.milliseconds(100))
        }
        return false
    }

    private func finish(_ process: ChildProcess, sayingBefore text: String) throws {
        #expect(process.stop().exit == .status(0))
        let log = try String(contentsOfFile: folder.log, encoding: .utf8)
        #expect(log.contains(text) && log.contains("retrying every few seconds"), "\(log)")
    }

    /// A socket that accepts connections and sends nothing.
    private func listener() -> CInt {
        let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in.loopback("127.0.0.1", port: Self.http)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(holder, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        #expect(isBound && listen(holder, 1) == 0)
        return holder
    }

    @Test(.limit(minutesEachTime: 1)) func httpPortInUseIsReportedAndRetried() throws {
        try configure("control:\n", "  http: { port: \(Self.http) }\n")
        let holder = listener()
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        try expectCallsWork()
        #expect(try faults(of: phone).contains("port \(Self.http) at 127.0.0.1"))
        let display = try phone.ask("getDisplay")
        #expect(display["notes"]?.array?.contains("Web page fails") == true, "\(display)")
        close(holder)
        #expect(try comesTrue { try faults(of: phone).isEmpty })
        let page = try Command(program: ["curl", "-s", "http://127.0.0.1:\(Self.http)/"], in: workplace)
        #expect(page.output.contains("<title>Offhook</title>"))
        try finish(phone.process, sayingBefore: "it is in use by another program")
    }

    /// Half of a renewal; and a key with too open permissions.
    @Test(.limit(minutesEachTime: 1), arguments: [false, true])
    func unusableCertificateIsReportedAndRetried(isReadable: Bool)
        throws
    {
        let certificates = try Certificates()
        for name in ["old", "new"] { try certificates.make(name, "DNS:localhost, IP:127.0.0.1") }
        let key = certificates.folder + "/used.key"
        try FileManager.default.copyItem(atPath: certificates.key(isReadable ? "new" : "old"), toPath: key)
        #expect(chmod(key, isReadable ? 0o644 : 0o600) == 0)
        try configure(
            "control:\n",
            "  http: { port: \(Self.http), certificate: \(certificates.certificate("new")), key: \(key) }\n")
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        try expectCallsWork()
        #expect(try faults(of: phone).contains(key))
        try FileManager.default.removeItem(atPath: key)
        try FileManager.default.copyItem(atPath: certificates.key("new"), toPath: key)
        #expect(chmod(key, 0o600) == 0)
        #expect(try comesTrue { try faults(of: phone).isEmpty })
        let page = try Command(program: ["curl", "-sk", "https://127.0.0.1:\(Self.http)/"], in: workplace)
        #expect(page.output.contains("<title>Offhook</title>"))
        try finish(phone.process, sayingBefore: key)
    }

    @Test(.limit(minutesEachTime: 1)) func missingAuthoritiesAreReportedAndRetried() throws {
        let server = listener()
        defer { close(server) }
        try folder.addAccount(
            program: Workplace.phone, label: "office", user: "101", server: "127.0.0.1:\(Self.http)",
            more: ["--no-password", "--transport", "tls"])
        try configure("sip:\n", "  tls: { authorities: nowhere.pem }\n")
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        try expectCallsWork()
        let isSaid = try comesTrue {
            let lines = try phone.ask("getSnapshot")["registrations"]?.array ?? []
            return lines.contains { $0["state"] == "failed" && $0["message"]?.string?.contains("nowhere.pem") == true }
        }
        #expect(isSaid)
        #expect(phone.process.stop().exit == .status(0))
        #expect(try String(contentsOfFile: folder.log, encoding: .utf8).contains("nowhere.pem"))
    }

    @Test(.limit(minutesEachTime: 1)) func missingSocketFolderIsReportedAndRetried() throws {
        let place = folder.path + "/run"
        let plain = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        try TextFile.write(
            plain.replacingOccurrences(of: "socket: control.sock", with: "socket: run/control.sock"),
            to: folder.configuration)
        #expect(try String(contentsOfFile: folder.configuration, encoding: .utf8) != plain)
        let process = try folder.start(program: Workplace.phone)
        #expect(try comesTrue { try Inquiry(port: Self.sip).status(of: "102@127.0.0.1", upTo: .seconds(1)) != nil })
        #expect(process.poll() == nil)
        try TextFile.makeFolder(place)
        #expect(comesTrue { (try? ControlClient(path: place + "/control.sock")) != nil })
        try finish(process, sayingBefore: "control socket")
    }

    /// The folder of `--record` appears later, as on a disk that is mounted late.
    @Test(.limit(minutesEachTime: 1)) func missingEventLogFolderIsReportedAndRetried() throws {
        let place = workplace.path + "/late"
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: ["sh", "-c", "exec \"$0\" \"$@\" --record \(place)/phone.jsonl"])
        try expectCallsWork()
        #expect(try faults(of: phone).contains(place))
        try TextFile.makeFolder(place)
        #expect(try comesTrue { try faults(of: phone).isEmpty })
        try phone.ask("setDoNotDisturb", ["on": true])
        #expect(phone.process.stop().exit == .status(0))
        let replay = try Command(["replay", place + "/phone.jsonl", "--quiet"], in: workplace)
        #expect(replay.exit == .status(0), "\(replay)")
    }
}
