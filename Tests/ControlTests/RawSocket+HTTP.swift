import Control
import JSON
import PhoneCore

/// An answer over HTTP.
struct WebAnswer {
    let status: Int
    /// The headers by their names in small letters.
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue(parsing: body) }
}

extension RawSocket {
    /// Sends a request with our own Host.
    /// - Parameter scope: Of its token; nil: without a token.
    func request(
        _ method: String, _ target: String, scope: AccessScope? = nil, _ headers: [String] = [], body: String = ""
    ) {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers
        if let scope { lines.append("Authorization: Bearer \(TestToken.text(scope))") }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    func rpc(_ body: String, scope: AccessScope? = .configure) {
        request("POST", "/rpc", scope: scope, ["Content-Type: application/json"], body: body)
    }

    /// Nil at the end of the stream.
    /// - Parameter hasBody: False for the answer to HEAD.
    func answer(hasBody: Bool = true) throws -> WebAnswer? {
        guard let (status, headers) = try head() else { return nil }
        let length = hasBody && status != 304 ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        return WebAnswer(status: status, headers: headers, body: try receive(bytes: length))
    }

    private func head() throws -> (status: Int, headers: [String: String])? {
        guard let first = try textLine() else { return nil }
        let words = first.split(separator: " ")
        var headers: [String: String] = [:]
        while let line = try textLine(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0, headers)
    }

    private func textLine() throws -> String? {
        guard var line = try receiveLine() else { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// One frame of a stream, without the chunks that carry it: its fields by name; nil at the end of the stream.
    func frame() throws -> [String: String]? {
        var fields: [String: String] = [:]
        while let line = try textLine() {
            // A chunk's size, or the end of a chunk or of a frame.
            if line.isEmpty, !fields.isEmpty { return fields }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            fields[String(parts[0])] = String(parts[1].drop { $0 == " " })
        }
        return nil
    }
}
