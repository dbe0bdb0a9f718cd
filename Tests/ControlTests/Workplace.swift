import Glibc

/// A separate folder for one test's sockets.
final class Workplace {
    let path: String

    init() {
        var template = Array("/tmp/offhook-control-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template)
        precondition(unsafe made != nil, "a temporary folder can be made")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["phone", "other"] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    var socket: String { "\(path)/phone" }

    static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}
