import PhoneCore
import SIPCore

/// The messages of an account's own server to a phone since it started, read independently off the wire: the only
/// cause of rights and voice.
struct Testimony: Sendable {
    /// Its messages about one call.
    struct Call: Sendable {
        /// The caller by the server's assertion. Nil: only the caller claims it.
        var caller: AssertedNumber?
        var wantsAnswer = false
        /// It replaces another call.
        var replaces = false
        var isAcknowledged = false
        /// The named addresses of the voice.
        var media: Set<MediaAddress> = []
        /// The hosts named for messages.
        var hosts: Set<String> = []
    }

    private(set) var calls: [String: Call] = [:]
    /// Numbers that the server called verified.
    private(set) var verified: Set<String> = []
    /// Whether the server writes the From header.
    private let vouchesForFrom: Bool

    init(vouchesForFrom: Bool) { self.vouchesForFrom = vouchesForFrom }

    /// - Parameter datagram: As it arrives. Only the server counts, and in a call the far ends that the server named.
    mutating func hear(_ datagram: Datagram) {
        guard let message = try? SIPMessage(datagram.bytes.span), let callID = message.headers[.callID] else { return }
        guard datagram.from == Proxy.endpoint || calls[callID]?.hosts.contains(datagram.from.host) == true else {
            return
        }
        var call = calls[callID] ?? Call()
        if case .request(let request) = message {
            if request.method == .ack { call.isAcknowledged = true }
            if request.method == .invite, ((try? request.headers.to.tag) ?? nil) == nil { take(request, &call) }
        }
        call.media.formUnion(Self.media(in: message.body))
        for address in ((try? message.headers.contacts) ?? []) + ((try? message.headers.recordRoutes) ?? []) {
            if let uri = address.uri.sip { call.hosts.insert(uri.host) }
        }
        calls[callID] = call
    }

    private mutating func take(_ invite: SIPRequest, _ call: inout Call) {
        let headers = invite.headers
        call.wantsAnswer = headers[.answerMode]?.hasPrefix("Auto") ?? false
        call.replaces = headers.contains(.replaces)
        let asserted = ((try? headers.assertedIdentities) ?? []).first
        let from = try? headers.from
        if let uri = (asserted ?? from)?.uri.sip, let user = uri.user {
            if (asserted ?? from)?.text.contains("TN-Validation-Passed") == true { verified.insert(user) }
            let isOwn = [Proxy.name, Proxy.endpoint.host].contains(uri.host)
            let number = AssertedNumber(user, domain: isOwn ? nil : uri.host)
            call.caller = (asserted != nil || vouchesForFrom) && !headers.contains(.privacy) ? number : nil
        }
    }

    /// The voice addresses of a session description (RFC 8866 §5.7, §5.14).
    private static func media(in body: [UInt8]) -> [MediaAddress] {
        var (common, host, port): (String?, String?, UInt16?)
        var found: [MediaAddress] = []
        func close() { if let port, let host = host ?? common { found.append(MediaAddress(host: host, port: port)) } }
        for line in String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            if line.hasPrefix("m=") {
                close()
                (host, port) = (nil, words.count > 1 && words[0] == "m=audio" ? UInt16(words[1]) : nil)
            } else if line.hasPrefix("c="), words.count == 3 {
                if port == nil { common = String(words[2]) } else { host = String(words[2]) }
            }
        }
        close()
        return found
    }
}
