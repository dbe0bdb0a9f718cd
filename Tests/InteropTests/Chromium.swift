import Bench
import Foundation
import JSON
import Rig

/// Debian's chromium as a WebRTC end (`Tests/Browser/webrtc.py`), with a person at it. The test provides its SIP, and
/// it is called `bench`; or it is a user of a Verto server.
final class Chromium {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let python = Workplace.root + "/.build/browser/bin/python"
    static var isPossible: Bool {
        HostPair.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")
            && FileManager.default.isExecutableFile(atPath: python)
    }

    private let console: Console
    private let folder: String

    /// - Parameter hasMicrophone: Whether the page may use the microphone. Without it the page reveals no address of
    ///   its machine, but only mDNS names.
    init(folder: String, hosts: HostPair, hasMicrophone: Bool = true) throws {
        try TextFile.makeFolder(folder)
        self.folder = folder
        console = try Self.console(
            [hosts.first.address] + (hasMicrophone ? [] : ["--no-microphone"]), folder: folder, hosts: hosts)
    }

    /// The user at a Verto server.
    init(folder: String, hosts: HostPair, user: String, at server: VertoServer) throws {
        try TextFile.makeFolder(folder)
        self.folder = folder
        let url = "ws://\(hosts.second.address):\(server.port)/"
        console = try Self.console(
            [url, "--verto", user, VertoServer.password(of: user)], folder: folder, hosts: hosts)
    }

    private static func console(_ words: [String], folder: String, hosts: HostPair) throws -> Console {
        let script = Workplace.root + "/Tests/Browser/webrtc.py"
        let console = try Console(
            [python, "-B", script, hosts.second.address] + words, folder: folder, host: hosts.second, port: nil,
            environment: [:])
        try console.waitFor(#""event": "ready""#, upTo: .seconds(25))
        return console
    }

    /// Its person hears it ring and answers.
    /// - Returns: The phone's offer, and the browser's answer.
    @discardableResult
    func answer() throws -> (offer: String, answer: String) {
        try console.waitFor(#""event": "called""#)
        try order("answer")
        return try answered()
    }

    /// The descriptions that both exchanged after the ones passed here before.
    func answered() throws -> (offer: String, answer: String) {
        let line = try console.line(with: #""event": "answered""#)
        let facts = try JSONValue(parsing: Array(line.utf8))
        guard let offer = facts["offer"]?.string, let answer = facts["answer"]?.string else {
            throw Failure(description: line)
        }
        return (offer, answer)
    }

    /// Calls the phone.
    func call() throws { console.type(#"{"do": "call"}"#) }

    func hangUp() throws { try order("hangup") }
    func waitForEnd() throws { try console.waitFor(#""event": "ended""#) }

    /// Its statistics of the connection.
    func figures() throws -> JSONValue { try order("figures") }

    func say(_ words: WaveFile) throws {
        let path = folder + "/words.wav"
        try words.write(to: path)
        try order("play", ["wav": .string(path)])
    }

    func record() throws { try order("record") }

    /// The speech that it received since `record`.
    func recorded() throws -> WaveFile {
        let path = folder + "/heard.wav"
        try order("recorded", ["wav": .string(path)])
        return try WaveFile(path: path)
    }

    @discardableResult
    private func order(_ what: String, _ more: [String: JSONValue] = [:]) throws -> JSONValue {
        let command = JSONValue.object(more.merging(["do": .string(what)]) { $1 })
        console.type(command.text)
        let line = try console.line(with: "\"do\": \"\(what)\"")
        let facts = try JSONValue(parsing: Array(line.utf8))
        guard facts["event"]?.string == "done" else { throw Failure(description: line) }
        return facts
    }

    /// Ends it and its browser.
    func quit() -> ChildProcess.Exit? {
        console.type(#"{"do": "quit"}"#)
        return console.process.wait(upTo: .seconds(10))
    }
}
