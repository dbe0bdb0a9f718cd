/// Writes messages. Content-Length is always there, and always right.
enum SIPSerializer {
    static func bytes(startLine: String, _ headers: SIPHeaders, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headers.fields.count * 64 + body.count + 128)
        bytes += startLine.utf8
        bytes += [.cr, .lf]
        for field in headers.fields where field.name != .contentLength {
            bytes += field.name.text.utf8
            bytes += [UInt8(ascii: ":"), 0x20]
            bytes += field.value.utf8
            bytes += [.cr, .lf]
        }
        bytes += "Content-Length: \(body.count)\r\n\r\n".utf8
        bytes += body
        return bytes
    }
}
