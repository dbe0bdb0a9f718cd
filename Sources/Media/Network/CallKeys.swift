import PhoneCore

/// The keys that a call has had. A key that comes back, after other keys or after none, continues where it stopped. If
/// it began anew, its key stream would be repeated (RFC 3711 §9.1), and packets that arrived before would be accepted
/// again (§3.3.2).
struct CallKeys: Sendable {
    /// Limit of keys that a call remembers in each direction. The oldest are forgotten first.
    private static let limit = 8

    private var send: [SendKeys] = []
    private var receive: [ReceiveKeys] = []

    /// - Parameter source: our SSRC.
    mutating func sending(_ protection: NegotiatedMedia.Protection, source: UInt32) throws(MediaError) -> SendKeys {
        let fingerprint = SendKeys.fingerprint(protection)
        if let known = send.first(where: { $0.fingerprint == fingerprint }) { return known }
        let keys = try SendKeys(protection, source: source)
        send = send.suffix(Self.limit - 1) + [keys]
        return keys
    }

    mutating func receiving(_ protection: NegotiatedMedia.Protection) throws(MediaError) -> ReceiveKeys {
        let fingerprint = ReceiveKeys.fingerprint(protection)
        if let known = receive.first(where: { $0.fingerprint == fingerprint }) { return known }
        let keys = try ReceiveKeys(protection)
        receive = receive.suffix(Self.limit - 1) + [keys]
        return keys
    }
}
