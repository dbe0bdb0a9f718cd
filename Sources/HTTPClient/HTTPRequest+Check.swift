import Base

extension HTTPRequest {
    private static let longestBody = 256 * 1_024
    private static let longestHeaders = 8 * 1_024

    /// Headers of the client itself or of libcurl. A second one would contradict them.
    private static let reserved: Set = [
        "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
        "cookie", "expect", "host", "if-none-match", "keep-alive", "proxy-authorization", "proxy-connection", "range",
        "te",
        "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]

    /// Checks everything before a byte is sent.
    /// - Returns: Its address.
    package func checked() throws(HTTPFailure) -> WebAddress {
        let address: WebAddress
        do throws(WebAddress.Malformed) { address = try WebAddress(url) } catch { throw .malformed(error.why) }
        guard method == .post || body == nil else { throw .malformed("only a POST may have a body") }
        guard (body?.count ?? 0) <= Self.longestBody else { throw .malformed("the body is too long") }
        guard timeout > .zero else { throw .malformed("the request has no time") }
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isTokenByte), Self.isVisible(header.value),
                !Self.reserved.contains(header.name.lowercased())
            else { throw .malformed("the header \(header.name.shown(bytes: 40)) cannot be sent") }
        }
        let secret = bearer?.reveal() ?? "-"
        guard !secret.isEmpty, Self.isVisible(secret), !secret.contains(" ") else {
            throw .malformed("the token has characters that a header may not have")
        }
        for text in [contentType, etag] {
            guard let text else { continue }
            guard !text.isEmpty, Self.isVisible(text) else { throw .malformed("a header has a wrong character") }
        }
        let bytes = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard bytes + secret.utf8.count <= Self.longestHeaders else { throw .malformed("the headers are too long") }
        return address
    }

    /// The characters of a header's name (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
