import Bench
import Foundation

/// The reference backend for one test.
extension BackendServer {
    public static let python = Workplace.root + "/.build/backend/bin/python"
    public static let script = Workplace.root + "/Tests/Servers/backend/serve.py"
    public static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// Starts it in a folder that is removed with it.
    public convenience init(broker: Bool = false) throws {
        try self.init(
            python: Self.python, script: Self.script,
            folder: NSTemporaryDirectory() + "oh-backend-\(UUID().uuidString.prefix(8))", broker: broker,
            isTemporary: true)
    }
}
