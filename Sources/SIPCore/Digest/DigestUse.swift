/// One use of a challenge: the values that its proof is computed from besides the challenge (RFC 7616 §3.4.1).
package struct DigestUse: Equatable, Sendable {
    /// The method's name; empty for the proof that the server gives in return (RFC 7616 §3.5).
    package var method: String
    package var uri: String
    /// The nonce of the challenge, or the next one that the server gave.
    package var nonce: String
    package var count: UInt32
    package var clientNonce: String
    package var body: [UInt8]

    package init(
        method: String, uri: String, nonce: String, count: UInt32, clientNonce: String, body: [UInt8] = []
    ) {
        (self.method, self.uri, self.nonce) = (method, uri, nonce)
        (self.count, self.clientNonce, self.body) = (count, clientNonce, body)
    }

    /// `nc`: eight hexadecimal digits.
    var writtenCount: String {
        let hex = String(count, radix: 16)
        return String(repeating: "0", count: 8 - hex.utf8.count) + hex
    }
}
