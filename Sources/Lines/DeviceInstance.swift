import Crypto

/// The name by which servers know a device over its restarts and addresses (RFC 5626 §4.1).
public enum DeviceInstance {
    /// A version 8 UUID (RFC 9562 §5.8), always the same for the same machine and account, from which neither can be told.
    ///
    /// - Parameter secret: What only this machine has, as `/etc/machine-id`, which must not be told to a network itself.
    public static func urn(secret: [UInt8], account: Int64) -> String {
        let hash = HMAC<SHA256>.authenticationCode(
            for: Array("offhook \(account)".utf8), using: SymmetricKey(data: secret))
        var bytes = Array(Array(hash).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var rest = digits[...]
        let groups = [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }
        return "urn:uuid:" + groups.joined(separator: "-")
    }
}
