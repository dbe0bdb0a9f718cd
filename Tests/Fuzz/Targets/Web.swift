import Base
import HTTPClient

/// The answer of a web server, line by line, and then its body. Or an address, as a configuration or a header names it.
func fuzzWeb(_ input: [UInt8]) {
    let limit = 4_096
    var reader = ResponseReader(limit: limit)
    var rest = input[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[...end]
        rest = rest[(end + 1)...]
        guard reader.takeLine(line), line.count > 2 else { break }
    }
    _ = reader.takeBody(rest)
    let response = reader.response(status: 307)
    precondition(response.body.count <= limit, "a body within its limit")
    precondition((.zero ... .seconds(86_400)).contains(response.retryAfter ?? .zero), "at most a day")
    for text in [response.etag, response.contentType, response.date, reader.location] {
        precondition(text?.utf8.allSatisfy { (0x20...0x7E).contains($0) } ?? true, "visible text")
    }
    let text = String(decoding: input.prefix(limit), as: UTF8.self)
    _ = HTTPDate.seconds(text)
    follow(reader.location ?? text)
    guard let address = try? WebAddress(text) else { return }
    precondition(address.scheme == .https || address.isLoopback, "nothing in clear over a network")
    precondition((try? WebAddress(address.text)) == address, "one spelling")
}

/// A redirect never leads to another server.
private func follow(_ location: String) {
    guard let server = try? WebAddress("https://phone.example:8443/api/x?y=1") else {
        preconditionFailure("an address")
    }
    var redirects = Redirects()
    guard let next = try? redirects.follow(307, to: location, from: server, by: .post).address else { return }
    precondition(next.hasSameServer(as: server), "the same server")
    precondition((try? WebAddress(next.text)) == next, "one spelling")
}
