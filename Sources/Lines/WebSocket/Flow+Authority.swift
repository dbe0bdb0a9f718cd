import SIPCore

extension Flow {
    /// The server's name in a request for a WebSocket: the host, and the port if it is not the usual one.
    func authority(_ name: String?) -> String {
        let host = (name ?? remote.host).prefix { $0 != "%" }
        let text = host.contains(":") ? "[\(host)]" : String(host)
        return text + (remote.port == transport.defaultPort ? "" : ":\(remote.port)")
    }
}
