import PhoneCore

/// The keys that a call has used. A key that comes back, after other keys or after none, continues where it stopped. If
/// it started again, its key stream would repeat (RFC 3711 §9.1), and packets that arrived before would be accepted
/// again (§3.3.2).
struct CallKeys: Sendable {
    /// Limit of keys that a call remembers in each direction. The oldest are forgotten first.
    private static let limit = 8

    private var send: [SendKeys] = []
    private var receive: [ReceiveKeys] = []

    /// - Parameter source: our SSRC.
    mutating func sending(_ master: NegotiatedMedia.MasterKeys, source: UInt32) throws(MediaError) -> SendKeys {
        let fingerprint = SendKeys.fingerprint(master)
        if let known = send.first(where: { $0.fingerprint == fingerprint }) { return known }
        let keys = try SendKeys(master, source: source)
        send = send.suffix(Self.limit - 1) + [keys]
        return keys
    }

    mutating func receiving(_ master: NegotiatedMedia.MasterKeys) throws(MediaError) -> ReceiveKeys {
        let fingerprint = ReceiveKeys.fingerprint(master)
        if let known = receive.first(where: { $0.fingerprint == fingerprint }) { return known }
        let keys = try ReceiveKeys(master)
        receive = receive.suffix(Self.limit - 1) + [keys]
        return keys
    }
}
