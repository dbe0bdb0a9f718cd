import Base
import Bench
import Foundation
import Glibc
import Rig

/// A telephone program with a console: the test types lines and reads its output.
final class Console {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let process: ChildProcess
    private let screen: String
    private let keyboard: Int32
    /// How much of its output was read.
    private var read = 0

    /// Starts it on a host, and waits until it listens for SIP over UDP there.
    /// - Parameter port: Nil: it does not, and reports on its own when it is up.
    init(
        _ words: [String], folder: String, host: HostPair.Host, port: UInt16? = 5_060, environment: [String: String]
    ) throws {
        let pipe = folder + "/keyboard"
        guard mkfifo(pipe, 0o600) == 0 else { throw Failure(description: "mkfifo \(pipe) failed") }
        // Open for both directions, so neither end waits for the other.
        keyboard = open(pipe, O_RDWR | O_CLOEXEC)
        screen = folder + "/screen"
        process = try ChildProcess(
            ["sh", "-c", "exec \"$0\" \"$@\" < '\(pipe)'"] + host.prefix + words,
            environment: environment.merging(["HOME": folder]) { given, _ in given }, log: screen)
        if let port { try waitUntilListening(port) }
    }

    deinit {
        close(keyboard)
        _ = process.stop()
    }

    func type(_ line: String) {
        let text = line + "\n"
        _ = write(keyboard, text, text.utf8.count)
    }

    /// Waits until it prints this, after the former match.
    func waitFor(_ text: String, upTo limit: Duration = .seconds(10)) throws {
        let end = MonotonicTime.now + limit
        repeat {
            let said = said.dropFirst(read)
            if let place = said.range(of: text) {
                read += said.distance(from: said.startIndex, to: place.upperBound)
                return
            }
            MonotonicTime.sleep(.milliseconds(20))
        } while MonotonicTime.now < end
        throw Failure(description: "did not say \"\(text)\" within \(limit), but: \(said.dropFirst(read))")
    }

    /// Waits until it prints a line with this text, after the former match.
    /// - Returns: The line.
    func line(with text: String, upTo limit: Duration = .seconds(10)) throws -> String {
        try waitFor(text, upTo: limit)
        let (before, after) = (said.prefix(read), said.dropFirst(read))
        let start = before.lastIndex(where: \.isNewline).map(before.index(after:)) ?? before.startIndex
        return String(before[start...]) + after.prefix { !$0.isNewline }
    }

    private var said: String {
        String(decoding: FileManager.default.contents(atPath: screen) ?? Data(), as: UTF8.self)
    }

    /// Its port in its host's socket table shows that it is up; its screen does not.
    private func waitUntilListening(_ number: UInt16) throws {
        let end = MonotonicTime.now + .seconds(15)
        let port = ":" + String(number, radix: 16, uppercase: true) + " "
        while MonotonicTime.now < end, process.poll() == nil {
            let tables = ["udp", "udp6"].compactMap {
                try? String(contentsOfFile: "/proc/\(process.identifier)/net/\($0)", encoding: .utf8)
            }
            if tables.contains(where: { $0.contains(port) }) { return }
            MonotonicTime.sleep(.milliseconds(50))
        }
        throw Failure(description: "did not come up: \(said)")
    }
}
