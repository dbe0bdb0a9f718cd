extension TracedSignal {
    /// Content types of bodies that only machines exchange. They describe the call, not people's words.
    private static let signalling: Set<String> = [
        "application/sdp", "message/sipfrag", "application/simple-message-summary", "application/dialog-info+xml",
        "application/reginfo+xml", "application/vq-rtcpxr",
    ]

    /// The same message without people's texts and digits. In any body but those above, each byte except line breaks
    /// becomes a `*`, so that every length stays correct.
    public var withoutWords: TracedSignal {
        let reading = SignalReading(message)
        guard !reading.body.isEmpty, !Self.signalling.contains(reading.contentType) else { return self }
        var signal = self
        // Bytes after the announced body are hidden as well.
        let head = message.count - Self.rest(of: message)
        for index in head..<message.count where message[index] != 0x0D && message[index] != 0x0A {
            signal.message[index] = UInt8(ascii: "*")
        }
        return signal
    }

    /// How many bytes follow the head.
    private static func rest(of message: [UInt8]) -> Int {
        var isBehindBreak = false
        var index = message.firstIndex { $0 != 0x0D && $0 != 0x0A } ?? message.count
        while index + 1 < message.count {
            if message[index] == 0x0D, message[index + 1] == 0x0A {
                if isBehindBreak { return message.count - index - 2 }
                isBehindBreak = true
                index += 2
            } else {
                isBehindBreak = false
                index += 1
            }
        }
        return 0
    }
}
