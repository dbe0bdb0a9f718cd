/// Writes messages into one buffer that is large enough from the start. It always writes Content-Length from the body.
enum SIPSerializer {
    static func bytes(startLine: String, _ headers: SIPHeaders, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(startLine.utf8.count + headers.writtenCount + body.count + 32)
        bytes += startLine.utf8
        bytes += [.cr, .lf]
        headers.write(into: &bytes)
        bytes += "Content-Length: ".utf8
        bytes += String(body.count).utf8
        bytes += [.cr, .lf, .cr, .lf]
        bytes += body
        return bytes
    }
}

extension SIPHeaders {
    /// The number of bytes that `write` writes, or more.
    fileprivate var writtenCount: Int {
        entries.reduce(0) { $0 + nameCount(of: $1) + $1.value.count + 4 }
    }

    fileprivate func write(into output: inout [UInt8]) {
        for entry in entries where entry.code != SIPHeaderName.contentLength.code {
            if entry.code == 0 {
                output += bytes[entry.name]
            } else {
                output += SIPHeaderName.known.names[Int(entry.code)].text.utf8
            }
            output.append(UInt8(ascii: ":"))
            output.append(0x20)
            output += bytes[entry.value]
            output.append(.cr)
            output.append(.lf)
        }
    }

    private func nameCount(of entry: Entry) -> Int {
        entry.code == 0 ? entry.name.count : SIPHeaderName.known.names[Int(entry.code)].text.utf8.count
    }
}
