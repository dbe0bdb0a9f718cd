import Base
import SIPCore

/// One message that a line sent or received, without secrets, as `offhook trace` shows it.
public struct TracedSignal: Equatable, Sendable {
    /// One end of the message's path.
    public struct End: Hashable, Sendable {
        /// A numeric address, without brackets.
        public let host: String
        public let port: UInt16

        public init(_ host: String, _ port: UInt16) { (self.host, self.port) = (host, port) }

        public var text: String { "\(host.inBrackets):\(port)" }
    }

    /// Microseconds since 1970 in UTC.
    public var time: Int64
    /// True when the message was sent, false when it was received.
    public var isSent: Bool
    /// `udp`, `tcp`, `tls`, `ws` or `wss`.
    public var transport: String
    public var local: End
    public var remote: End
    /// The name that the user gave to the line.
    public var account: String
    public var message: [UInt8]

    public init(
        time: Int64, isSent: Bool, transport: String, local: End, remote: End, account: String, message: [UInt8]
    ) {
        self.time = time
        self.isSent = isSent
        self.transport = transport
        self.local = local
        self.remote = remote
        self.account = account
        self.message = message
    }
}

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

/// Selects the messages to show. A criterion that is nil is not applied.
public struct SignalFilter: Equatable, Sendable {
    /// The Call-ID or its beginning.
    public var callID: String?
    public var account: String?
    /// The method of requests, and of the requests that responses answer. Case does not matter.
    public var method: String?
    /// The address of the far end, with or without a port.
    public var peer: String?

    public init(callID: String? = nil, account: String? = nil, method: String? = nil, peer: String? = nil) {
        self.callID = callID
        self.account = account
        self.method = method
        self.peer = peer
    }

    public func admits(_ signal: TracedSignal) -> Bool {
        let reading = SignalReading(signal.message)
        let isWanted = [
            callID.map { reading.callID.hasPrefix($0) },
            account.map { signal.account == $0 },
            method.map { reading.method.lowercased() == $0.lowercased() },
            peer.map { [signal.remote.host, signal.remote.text].contains($0) },
        ]
        return isWanted.allSatisfy { $0 ?? true }
    }
}

/// The parts of a message that a ladder, a filter and the removal of private bodies need. Bytes that are not a valid
/// message have a reading too.
public struct SignalReading: Equatable, Sendable {
    /// The method of the request, or of the request that the response answers; empty when it is unknown.
    let method: String
    /// `INVITE`, `200 OK`.
    let label: String
    /// The request URI of a request; nil for a response.
    let target: String?
    let sequence: UInt32?
    /// The Call-ID; empty without one.
    let callID: String
    /// The content type in lower case, without parameters; empty without one.
    let contentType: String
    let body: [UInt8]

    /// One line of text: `INVITE sip:bob@192.0.2.2`, `200 OK (INVITE)`.
    public var summary: String {
        guard let target else { return method.isEmpty ? label : "\(label) (\(method))" }
        return "\(label) \(target)"
    }

    /// Cost: one parse of the message.
    public init(_ bytes: [UInt8]) {
        guard let message = try? SIPMessage(bytes.span) else {
            let line = bytes.prefix { $0 != 0x0D && $0 != 0x0A }
            (method, target, sequence, callID, contentType, body) = ("", nil, nil, "", "", [])
            label = "? " + String(decoding: line.prefix(64), as: UTF8.self).withoutCommands
            return
        }
        let cSeq = try? message.headers.cSeq
        sequence = cSeq?.number
        callID = (message.headers[.callID] ?? "").withoutCommands
        contentType = ((try? message.headers.contentType)?.name ?? "").withoutCommands
        body = message.body
        switch message {
        case .request(let request):
            method = request.method.name
            label = method.withoutCommands
            target = request.uri.text.withoutCommands
        case .response(let response):
            method = cSeq?.method.name ?? ""
            label = "\(response.status.code) \(response.phrase)".withoutCommands
            target = nil
        }
    }
}
