import Platform

/// Why the control interface could not be opened.
public enum ControlError: Error, Equatable, Sendable {
    case pathTooLong(String, limit: Int)
    /// Another program answers at this path, most likely another Offhook.
    case inUse(String)
    /// A file with this name exists, but is no socket. It stays unchanged.
    case notASocket(String)
    /// A system call failed.
    case system(call: String, path: String, errno: Int32)
    /// HTTP cannot listen at this address.
    case address(String, port: UInt16, why: String)
    /// HTTPS cannot use these files.
    case certificate(String)
}

extension ControlError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit): "control socket \(path): the path is longer than \(limit) bytes"
        case .inUse(let path): "control socket \(path): another program answers there; Offhook may already be running"
        case .notASocket(let path):
            "control socket \(path): a file with this name exists and is no socket; remove it or set control.socket"
        case .address(let address, let port, let why): "control.http: port \(port) at \(address): \(why)"
        case .certificate(let why): "control.http: \(why)"
        case .system(let call, let path, let errno): "control socket \(path): \(call): \(SystemError.text(errno))"
        }
    }
}
