import Base
import Bench
import Foundation

/// A separate folder for one test, with the programs and sounds that it needs; removed with it.
public final class Workplace {
    /// For the test's phones.
    public let place: PhonePlace
    public let alice: WaveFile
    public let bob: WaveFile

    public var path: String { place.path }

    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    /// The folder in which `swift build` put the phone, the wire and this test.
    public static let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().path
    public static let phone = products + "/offhook"
    public static let bench = products + "/offhook-bench"
    public static let wire = products + "/libasound_module_pcm_wire.so"
    public static let board = root + "/board/simulator.yaml"

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public init() throws {
        let path = NSTemporaryDirectory() + "oh-\(UUID().uuidString.prefix(8))"
        place = try PhonePlace(path: path, program: Self.phone, board: Self.board, wire: Self.wire)
        let speech = try ChildProcess([Self.root + "/Scripts/speech", path], log: path + "/speech.log")
        guard speech.wait(upTo: .seconds(30)) == .status(0) else {
            throw Failure(description: "Scripts/speech failed: see \(path)/speech.log")
        }
        alice = try WaveFile(path: path + "/alice.wav")
        bob = try WaveFile(path: path + "/bob.wav")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A sound card in a folder of the same name.
    public func soundCard(_ name: String) throws -> SoundCard { try place.soundCard(name) }

    /// A phone's folder with its vault made.
    public func phoneFolder(_ name: String, _ settings: PhoneFolder.Settings) throws -> PhoneFolder {
        try place.phoneFolder(name, settings)
    }
}
