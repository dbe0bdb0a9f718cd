import Base
import Bench
import Foundation

/// Debian's mosquitto for one test: TLS for the phone, and a Unix socket for the backend, which the test plays.
public final class Broker {
    public struct Settings {
        public var port: UInt16
        /// A certificate of `Certificates`.
        public var certificate = "broker"
        /// The user `phone` needs this password; nil: anybody may connect.
        public var password: String?
        /// Whether the phone must show a certificate.
        public var asksForCertificate = false

        public init(port: UInt16) { self.port = port }
    }

    public static let program = "/usr/sbin/mosquitto"
    public static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let folder: String
    public private(set) var settings: Settings
    private let certificates: Certificates
    private var process: ChildProcess?
    private var publications = 0

    public var log: String { folder + "/broker.log" }
    private var backend: String { folder + "/backend" }

    /// Starts it in a new folder, which goes with it.
    public init(_ settings: Settings, _ certificates: Certificates) throws {
        (self.settings, self.certificates) = (settings, certificates)
        folder = NSTemporaryDirectory() + "oh-broker-\(UUID().uuidString.prefix(8))"
        try TextFile.makeFolder(folder)
        if let password = settings.password {
            let line = ["mosquitto_passwd", "-c", "-b", folder + "/passwords", "phone", password]
            guard try ChildProcess(line, log: log).wait(upTo: .seconds(10)) == .status(0) else {
                throw Failure(description: "mosquitto_passwd failed: see \(log)")
            }
        }
        try start()
    }

    deinit {
        _ = process?.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it again after `kill`, or with other settings.
    public func start(_ change: (inout Settings) -> Void = { _ in }) throws {
        change(&settings)
        try writeConfiguration()
        process = try ChildProcess([Self.program, "-c", folder + "/broker.conf"], log: log)
        let end = MonotonicTime.now + .seconds(5)
        // It binds the Unix socket last.
        while !FileManager.default.fileExists(atPath: backend) {
            guard MonotonicTime.now < end else { throw Failure(description: "no broker: see \(log)") }
            MonotonicTime.sleep(.milliseconds(5))
        }
    }

    public func kill() {
        process?.signal(SIGKILL)
        _ = process?.wait(upTo: .seconds(5))
        try? FileManager.default.removeItem(atPath: backend)
    }

    /// Makes it neither read nor write, and lets it go on.
    public func freeze() { process?.signal(SIGSTOP) }
    public func thaw() { process?.signal(SIGCONT) }

    /// Publishes with QoS 1, and returns when the broker has the message.
    public func publish(_ text: String, to topic: String, retained: Bool = false) throws {
        publications += 1
        let file = "\(folder)/message-\(publications)"
        try TextFile.write(text, to: file)
        try run(
            ["mosquitto_pub", "--unix", backend, "-q", "1", "-t", topic, "-f", file] + (retained ? ["-r"] : []))
        try? FileManager.default.removeItem(atPath: file)
    }

    /// Starts to publish these lines with QoS 1. Lines are without line breaks.
    /// - Parameter rate: Lines a second; nil: as fast as the broker takes them.
    public func flood(_ lines: [String], to topic: String, rate: Int? = nil) throws -> ChildProcess {
        publications += 1
        let file = "\(folder)/message-\(publications)"
        try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        // The pacer writes a twentieth of a second's lines at a time.
        let pacer = rate.map { "split -l \(max(1, $0 / 20)) --filter 'cat; sleep 0.05' '\(file)'" } ?? "cat '\(file)'"
        return try ChildProcess(
            ["sh", "-c", "\(pacer) | mosquitto_pub --unix '\(backend)' -q 1 -t '\(topic)' -l"], log: log)
    }

    /// The next text of a topic, or the retained one.
    public func text(of topic: String, upTo limit: Duration = .seconds(5)) throws -> String {
        publications += 1
        let output = "\(folder)/heard-\(publications)"
        let seconds = "\(max(1, limit.components.seconds))"
        let child = try ChildProcess(
            ["mosquitto_sub", "--unix", backend, "-C", "1", "-W", seconds, "-t", topic], log: output)
        _ = child.wait(upTo: limit + .seconds(1))
        return try TextFile.read(output).trimmingCharacters(in: .newlines)
    }

    /// Waits until a topic's retained text is this one.
    public func waitForText(_ text: String, of topic: String, upTo limit: Duration = .seconds(5)) throws {
        let end = MonotonicTime.now + limit
        var last = ""
        repeat {
            last = try self.text(of: topic, upTo: .seconds(1))
            if last == text { return }
            MonotonicTime.sleep(.milliseconds(20))
        } while MonotonicTime.now < end
        throw Failure(description: "\(topic) is \"\(last)\" and not \"\(text)\"")
    }

    private func run(_ line: [String]) throws {
        guard try ChildProcess(line, log: log).wait(upTo: .seconds(10)) == .status(0) else {
            throw Failure(description: "\(line.joined(separator: " ")) failed: see \(log)")
        }
    }

    private func writeConfiguration() throws {
        var lines = [
            "user root", "per_listener_settings true", "persistence false", "log_type all", "max_queued_messages 0",
            "listener \(settings.port) 127.0.0.1", "cafile \(certificates.authority)",
            "certfile \(certificates.certificate(settings.certificate))",
            "keyfile \(certificates.key(settings.certificate))",
            "allow_anonymous \(settings.password == nil)", "require_certificate \(settings.asksForCertificate)",
        ]
        if settings.password != nil { lines.append("password_file \(folder)/passwords") }
        lines += ["listener 0 \(backend)", "allow_anonymous true"]
        try TextFile.write(lines.joined(separator: "\n") + "\n", to: folder + "/broker.conf")
    }
}
