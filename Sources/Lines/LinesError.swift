/// Why a line could not be opened.
public enum LinesError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Transport: String, Sendable {
        case udp = "UDP"
        case tcp = "TCP"
        case tls = "TLS"
    }

    case portInUse(Transport, host: String, port: Int)
    case addressNotAvailable(Transport, host: String, port: Int)
    case notPermitted(Transport, host: String, port: Int)
    /// Another error of the system, with its text.
    case cannotListen(Transport, host: String, port: Int, String)
    /// A file of `TLSSettings` that cannot be read, or that has the wrong content.
    case certificateFile(String, String)
    /// TLS does not work with this configuration.
    case tls(String)

    public var description: String {
        switch self {
        case .portInUse(let name, let host, let port):
            "\(name.rawValue) port \(port) at \(host) is in use by another program"
        case .addressNotAvailable(let name, let host, let port):
            "\(host) is not an address of this machine (for \(name.rawValue) port \(port))"
        case .notPermitted(let name, let host, let port):
            "not permitted to open \(name.rawValue) port \(port) at \(host)"
        case .cannotListen(let name, let host, let port, let why):
            "cannot open \(name.rawValue) port \(port) at \(host): \(why)"
        case .certificateFile(let file, let why): "\(file) cannot be used as a certificate or key: \(why)"
        case .tls(let why): "TLS: \(why)"
        }
    }
}
