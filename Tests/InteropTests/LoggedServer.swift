import Base
import Bench
import Foundation
import Rig

/// A server of another make, whose log shows when it is up.
final class LoggedServer {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process: ChildProcess
    private let log: String

    /// - Parameters:
    /// - folder: The folder of its log; made if missing.
    /// - sign: The text in its log when it is up.
    init(_ words: [String], folder: String, isUpWhen sign: String) throws {
        try TextFile.makeFolder(folder)
        log = folder + "/log"
        process = try ChildProcess(words, log: log)
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end, process.poll() == nil {
            if said.contains(sign) { return }
            MonotonicTime.sleep(.milliseconds(20))
        }
        stop()
        throw Failure(description: "\(words) did not come up: \(said.suffix(2_000))")
    }

    /// Its log.
    var said: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    @discardableResult
    func stop() -> ChildProcess.Exit? { process.stop().exit }
}
