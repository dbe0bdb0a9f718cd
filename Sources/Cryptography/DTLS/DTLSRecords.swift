import COpenSSL

/// Splits datagrams into records: to pack those that OpenSSL wrote, and to remove those that it should not read.
enum DTLSRecords {
    /// Bytes of a record's header; the last two are the length of what follows (RFC 6347 §4.1).
    private static let headerLength = 13

    /// Puts as many records into each datagram as fit, and never cuts one.
    ///
    /// - Parameter limit: Bytes of a datagram. A longer record goes alone.
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

    /// The records one by one. An incomplete record is the last one.
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

    // MARK: Received records

    /// Types of records, and of one handshake message (RFC 6347 §4.1, RFC 5246 §6.2.1, §7.4).
    private static let (alert, handshake, clientHello): (UInt8, UInt8, UInt8) = (21, 22, 1)
    /// The description and the level of alerts that end a handshake (RFC 5246 §7.2).
    private static let (closeNotify, fatal): (UInt8, UInt8) = (0, 2)

    /// Removes alerts in clear and unexpected ClientHellos from a datagram. Returns the rest, and the text of the first
    /// alert that would end the handshake.
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

    /// Bytes of a handshake message's header, and of the version and the random field that follow in a ClientHello
    /// (RFC 6347 §4.2.2, RFC 5246 §7.4.1.2).
    private static let (messageHeaderLength, versionLength, randomLength) = (12, 2, 32)

    /// The random bytes of a datagram's first ClientHello in clear. Nil without the beginning of one.
    static func greeting(in datagram: UnsafeRawBufferPointer) -> [UInt8]? {
        for record in unsafe records(of: Array(datagram)) {
            let message = record.dropFirst(headerLength)
            guard record.first == handshake, isClear(record), message.first == clientHello else { continue }
            // If the message is fragmented, the first fragment has them.
            let isFirst = message.dropFirst(6).prefix(3).allSatisfy { $0 == 0 }
            let random = message.dropFirst(messageHeaderLength + versionLength).prefix(randomLength)
            if isFirst, random.count == randomLength { return Array(random) }
        }
        return nil
    }

    /// The text of an alert that ends a handshake.
    private static func ending(_ alert: ArraySlice<UInt8>) -> String? {
        guard alert.count >= 2, let level = alert.first, let code = alert.dropFirst().first,
            level == fatal || code == closeNotify
        else { return nil }
        return unsafe String(cString: SSL_alert_desc_string_long(Int32(code)))
    }

    /// Whether its epoch is 0, which has no keys.
    private static func isClear(_ record: some Collection<UInt8>) -> Bool {
        record.count >= headerLength && record.dropFirst(3).prefix(2).allSatisfy { $0 == 0 }
    }
}
