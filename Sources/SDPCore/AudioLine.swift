/// One audio line of either end, read: what that end can do and wants. Both ends are read alike, so that what two of
/// them agree on is one symmetric function.
struct AudioLine {
    struct Opus {
        var payloadType: UInt8
        var parameters: OpusParameters
    }

    var address: PacketAddress
    var control: PacketAddress?
    var sharesPort: Bool
    var opus: Opus
    /// Payload type of telephone events by clock rate.
    var events: [Int: UInt8]
    var isSecureTransport: Bool
    var crypto: [CryptoLine]
    /// As its line says it.
    var direction: Direction
    var isNowhere: Bool
    var packetMilliseconds: Int?
    var longestPacketMilliseconds: Int?

    init(_ media: MediaDescription, in session: SessionDescription) throws(NegotiationError) {
        guard media.kind == "audio", media.port != 0 else { throw .noAudio }
        switch media.transport.uppercased() {
        case "RTP/AVP", "RTP/AVPF": isSecureTransport = false
        case "RTP/SAVP", "RTP/SAVPF": isSecureTransport = true
        default: throw .unsupportedTransport(media.transport)
        }
        guard let host = media.host ?? session.host else { throw .unusableAddress }
        switch PacketHost(host) {
        case .unicast: isNowhere = false
        case .nowhere: isNowhere = true
        case .unusable: throw .unusableAddress
        }
        address = PacketAddress(host: host, port: media.port)
        sharesPort = media.hasFlag("rtcp-mux")
        control = Self.control(media, host: host)
        let formats = Self.formats(media)
        guard let opus = formats.lazy.compactMap({ Self.opus($0, in: media) }).first else { throw .noCommonCodec }
        self.opus = opus
        events = formats.reduce(into: [:]) { table, format in
            guard format.name == "telephone-event", table[format.clockRate] == nil else { return }
            table[format.clockRate] = format.payloadType
        }
        crypto = media.values(of: "crypto").compactMap(CryptoLine.init)
        direction = Direction(of: media, in: session)
        packetMilliseconds = Self.number(media, "ptime")
        longestPacketMilliseconds = Self.number(media, "maxptime")
    }

    /// The direction that end wants, whichever way it says so.
    var wanted: Direction { isNowhere ? Direction(sends: direction.sends, receives: false) : direction }

    /// Length of the packets to send there: what it asks for, else ours, within what it takes.
    func packetMilliseconds(preferring own: Int) -> Int {
        let wanted = packetMilliseconds.flatMap { MediaCapabilities.packetLengths.contains($0) ? $0 : nil } ?? own
        let longest = longestPacketMilliseconds ?? MediaCapabilities.longestPacketMilliseconds
        let allowed = MediaCapabilities.packetLengths.filter { $0 <= max(longest, MediaCapabilities.packetLengths[0]) }
        return allowed.last { $0 <= wanted } ?? allowed[0]
    }

    private struct Format {
        var payloadType: UInt8
        var name: String
        var clockRate: Int
        var channels: Int
    }

    /// The formats with an `a=rtpmap`, in the order of the `m=` line.
    private static func formats(_ media: MediaDescription) -> [Format] {
        let maps = media.values(of: "rtpmap").compactMap(format)
        return media.formats.compactMap { text in maps.first { String($0.payloadType) == text } }
    }

    /// `96 opus/48000/2`
    private static func format(_ value: String) -> Format? {
        let fields = value.split(separator: " ")
        guard fields.count == 2, let type = UInt8(fields[0]),
            MediaCapabilities.dynamicPayloadTypes.contains(type)
        else { return nil }
        let parts = fields[1].split(separator: "/")
        guard parts.count == 2 || parts.count == 3, let rate = Int(parts[1]) else { return nil }
        let channels = parts.count == 3 ? Int(parts[2]) ?? 0 : 1
        return Format(payloadType: type, name: parts[0].lowercased(), clockRate: rate, channels: channels)
    }

    private static func opus(_ format: Format, in media: MediaDescription) -> Opus? {
        // Always two channels and this clock, whatever is sent (RFC 7587 §7).
        guard format.name == "opus", format.clockRate == 48_000, format.channels == 2 else { return nil }
        let prefix = "\(format.payloadType) "
        let text = media.values(of: "fmtp").first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count) ?? ""
        return Opus(payloadType: format.payloadType, parameters: OpusParameters(formatParameters: text))
    }

    /// `a=rtcp:port [IN IP4 host]` (RFC 3605), else the next port.
    private static func control(_ media: MediaDescription, host: String) -> PacketAddress? {
        if let fields = media.values(of: "rtcp").first?.split(separator: " "), let first = fields.first,
            let port = UInt16(first), port != 0
        {
            let named = fields.count == 4 ? String(fields[3]) : host
            return PacketAddress(host: PacketHost(named) == .unicast ? named : host, port: port)
        }
        return media.port == .max ? nil : PacketAddress(host: host, port: media.port + 1)
    }

    private static func number(_ media: MediaDescription, _ name: String) -> Int? {
        media.values(of: name).first.flatMap { Int($0) }
    }
}
