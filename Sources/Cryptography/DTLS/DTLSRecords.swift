import COpenSSL

/// The records of datagrams: those that OpenSSL wrote one behind another, and those that it had better not read.
enum DTLSRecords {
    /// Bytes of a record's header; the last two are the length of what follows (RFC 6347 §4.1).
    private static let headerLength = 13

    /// Puts as many records into each datagram as fit, and never cuts one.
    ///
    /// - Parameter limit: Bytes of a datagram. A record that is longer goes alone.
    static func datagrams(of bytes: [UInt8], limit: Int) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        for record in records(of: bytes) {
            if let last = datagrams.last, last.count + record.count <= limit {
                datagrams[datagrams.count - 1] += record
            } else {
                datagrams.append(Array(record))
            }
        }
        return datagrams
    }

    /// The records one by one. What is no whole record is the last one.
    static func records(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var records: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            records.append(rest.prefix(length(of: rest)))
            rest = rest.dropFirst(records[records.count - 1].count)
        }
        return records
    }

    private static func length(of records: ArraySlice<UInt8>) -> Int {
        guard records.count >= headerLength else { return records.count }
        let end = records.startIndex + headerLength
        return headerLength + Int(records[end - 2]) << 8 + Int(records[end - 1])
    }

    // MARK: What came

    /// Kinds of records, and one of a handshake's messages (RFC 6347 §4.1, RFC 5246 §6.2.1, §7.4).
    private static let (alert, handshake, clientHello): (UInt8, UInt8, UInt8) = (21, 22, 1)
    /// The description, and the level, of alerts that end a handshake (RFC 5246 §7.2).
    private static let (closeNotify, fatal): (UInt8, UInt8) = (0, 2)

    /// Takes alerts in clear and unexpected ClientHellos out of a datagram. Returns what is left, and what the first alert
    /// says that would end the handshake.
    static func sift(
        _ datagram: UnsafeRawBufferPointer, takesClientHello: Bool
    ) -> (rest: [UInt8], reason: String?) {
        var (rest, reason) = ([UInt8](), String?.none)
        for record in unsafe records(of: Array(datagram)) {
            let body = record.dropFirst(headerLength)
            switch record.first {
            case alert where isClear(record): reason = reason ?? ending(body)
            case handshake where isClear(record) && body.first == clientHello && !takesClientHello: break
            default: rest += record
            }
        }
        return (rest, reason)
    }

    /// Bytes of the header of a handshake's message, and of the version and the random bytes that a ClientHello begins with
    /// (RFC 6347 §4.2.2, RFC 5246 §7.4.1.2).
    private static let (messageHeaderLength, versionLength, randomLength) = (12, 2, 32)

    /// The random bytes of a datagram's first ClientHello in clear. Nil: there is none, or not its beginning.
    static func greeting(in datagram: UnsafeRawBufferPointer) -> [UInt8]? {
        for record in unsafe records(of: Array(datagram)) {
            let message = record.dropFirst(headerLength)
            guard record.first == handshake, isClear(record), message.first == clientHello else { continue }
            // Where the message is cut into fragments, the first one has them.
            let isFirst = message.dropFirst(6).prefix(3).allSatisfy { $0 == 0 }
            let random = message.dropFirst(messageHeaderLength + versionLength).prefix(randomLength)
            if isFirst, random.count == randomLength { return Array(random) }
        }
        return nil
    }

    /// The words of an alert that ends a handshake.
    private static func ending(_ alert: ArraySlice<UInt8>) -> String? {
        guard alert.count >= 2, let level = alert.first, let code = alert.dropFirst().first,
            level == fatal || code == closeNotify
        else { return nil }
        return unsafe String(cString: SSL_alert_desc_string_long(Int32(code)))
    }

    /// Whether its epoch is the first, which has no keys.
    private static func isClear(_ record: some Collection<UInt8>) -> Bool {
        record.count >= headerLength && record.dropFirst(3).prefix(2).allSatisfy { $0 == 0 }
    }
}
