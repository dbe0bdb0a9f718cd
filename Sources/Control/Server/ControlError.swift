import Platform

/// Why the control interface could not be opened.
public enum ControlError: Error, Equatable, Sendable {
    case pathTooLong(String, limit: Int)
    /// Another program answers there: most likely another Offhook.
    case inUse(String)
    /// A file of that name exists that is no socket; it is left alone.
    case notASocket(String)
    /// A system call failed.
    case system(call: String, path: String, errno: Int32)
    /// HTTP cannot listen at this address.
    case address(String, port: UInt16, why: String)
    /// HTTPS cannot be spoken with these files.
    case certificate(String)
}

extension ControlError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit): "control socket \(path): the path is longer than \(limit) bytes"
        case .inUse(let path): "control socket \(path): another program answers there; is Offhook already running?"
        case .notASocket(let path): "control socket \(path): a file of that name exists and is no socket"
        case .address(let address, let port, let why): "control.http: port \(port) at \(address): \(why)"
        case .certificate(let why): "control.http: \(why)"
        case .system(let call, let path, let errno): "control socket \(path): \(call): \(SystemError.text(errno))"
        }
    }
}
