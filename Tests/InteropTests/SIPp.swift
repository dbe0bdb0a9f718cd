import Base
import Bench
import Foundation

/// Debian's SIPp, which plays one side of a call from a scenario, on loopback.
final class SIPp {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let program = "/usr/bin/sipp"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
    /// The phone treats SIPp as its server.
    static let port: UInt16 = 29_080
    /// SIPp uses three more, each two apart.
    private static let firstMediaPort: UInt16 = 29_900

    private let folder: String
    private let process: ChildProcess

    /// Starts it.
    /// - Parameters:
    /// - folder: A separate one for its files.
    /// - phone: The port of the phone that it calls, or is called by.
    /// - options: Further words of its command line.
    init(_ scenario: String, folder: String, phone: UInt16, port: UInt16 = SIPp.port, options: [String] = []) throws {
        try TextFile.makeFolder(folder)
        self.folder = folder
        try TextFile.write(scenario, to: folder + "/scenario.xml")
        // It sends received voice back.
        let words = [
            Self.program, "127.0.0.1:\(phone)", "-sf", folder + "/scenario.xml", "-s", "101", "-i", "127.0.0.1", "-p",
            "\(port)", "-mi", "127.0.0.1", "-mp", "\(Self.firstMediaPort + 4 * (port - Self.port))", "-rtp_echo",
            "-nostdin", "-trace_err", "-error_file",
            folder + "/errors", "-trace_msg", "-message_file", folder + "/messages", "-timeout_error",
        ]
        let isLimited = options.contains("-timeout")
        process = try ChildProcess(
            words + options + (isLimited ? [] : ["-timeout", "30s"]) + (options.contains("-m") ? [] : ["-m", "1"]),
            environment: ["TERM": "dumb"], log: folder + "/screen")
    }

    /// The codec that a built-in scenario of SIPp announces. In any case it sends back what it receives.
    enum Voice {
        case opus
        /// PCMU, in the scenario's notation.
        case asItIs
        /// The phone does not have it.
        case gsm
    }

    /// A built-in scenario of SIPp.
    static func builtIn(_ name: String, in workplace: String, _ voice: Voice = .opus) throws -> String {
        let file = "\(workplace)/\(name).xml"
        let print = try ChildProcess([program, "-sd", name], log: file)
        _ = print.wait(upTo: .seconds(5))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let start = text.range(of: "<?xml") else { throw Failure(description: "sipp -sd \(name): \(text)") }
        let scenario = String(text[start.lowerBound...])
        let (type, encoding) =
            switch voice {
            case .asItIs: (0, "PCMU/8000")
            case .opus: (96, "opus/48000/2")
            case .gsm: (3, "GSM/8000")
            }
        return scenario.replacing("RTP/AVP 0", with: "RTP/AVP \(type)")
            .replacing("a=rtpmap:0 PCMU/8000", with: "a=rtpmap:\(type) \(encoding)")
    }

    /// Waits for its end, at which every call must have followed the scenario.
    func finish(upTo limit: Duration = .seconds(35)) throws {
        let exit = process.wait(upTo: limit)
        guard exit != .status(0) else { return }
        throw Failure(description: "sipp ended with \(exit.map { "\($0)" } ?? "nothing"): \(said("errors"))")
    }

    /// Every message that it sent or received.
    var messages: String { said("messages") }

    /// Waits until so many messages with this beginning have come.
    func waitUntil(received start: String, times: Int = 1, upTo limit: Duration) throws {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let received = messages.components(separatedBy: "message received").dropFirst()
            if received.count(where: { $0.contains("\n\(start)") }) >= times { return }
            MonotonicTime.sleep(.milliseconds(50))
        }
        throw Failure(description: "no \(start) came within \(limit): \(said("errors"))")
    }

    /// Waits until something on this machine accepts connections there.
    static func waitUntilListening(_ port: UInt16) throws {
        let end = MonotonicTime.now + .seconds(5)
        let row = ":" + String(port, radix: 16, uppercase: true) + " 00000000:0000 0A"
        while MonotonicTime.now < end {
            let table = String(decoding: FileManager.default.contents(atPath: "/proc/net/tcp") ?? Data(), as: UTF8.self)
            if table.contains(row) { return }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw Failure(description: "nobody listens on port \(port)")
    }

    private func said(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
    }

    deinit { _ = process.stop() }
}
