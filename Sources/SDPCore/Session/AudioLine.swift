import Base

/// A parsed audio line of either end: the end's abilities and wishes. The lines of both ends are read in the same way,
/// so that their agreement is one symmetric function.
struct AudioLine {
    struct Codec {
        var name: AudioCodec
        var payloadType: UInt8
        /// The parameters of Opus; other codecs have none.
        var parameters: OpusParameters
    }

    var address: MediaAddress
    var control: MediaAddress?
    var sharesPort: Bool
    /// The codecs that we know, in the order of that end's preference. Never empty.
    var codecs: [Codec]
    /// Payload type of telephone events by clock rate.
    var events: [Int: UInt8]
    /// Payload type of redundant audio, by the payload type of its codec (RFC 2198 §5).
    var redundancy: [UInt8: UInt8]
    var transport: RTPTransport
    /// Whether its transport is that of clear voice, whatever keys it has.
    var mayBeClear: Bool
    /// The SDES lines that we know.
    var crypto: [CryptoAttribute]
    /// Nil unless DTLS protects the line's packets, and the line has everything for a handshake.
    var dtls: DTLSLine?
    /// Nil if the end does not use ICE.
    var ice: ICEDescription?
    /// Nil if the description does not mention extended reports.
    var reports: NegotiatedMedia.Reports?
    /// The direction as its line states it.
    var direction: Direction
    var isNowhere: Bool
    var packetMilliseconds: Int?
    var longestPacketMilliseconds: Int?

    /// The family of the address. Nil for an address of zeros.
    let family: IPFamily?

    /// - Parameter families: Of several addresses, the first one of these families counts, else the first one.
    init(
        _ media: MediaDescription, in session: SessionDescription,
        within families: Set<IPFamily> = [.version4, .version6]
    ) throws(NegotiationError) {
        guard media.kind == "audio", media.port != 0 else { throw .noAudio }
        guard let transport = RTPTransport(media.transport) else { throw .unsupportedTransport(media.transport) }
        let hosts = media.hosts.isEmpty ? session.hosts : media.hosts
        guard let host = hosts.first(where: { PacketHost($0).isUnicast(within: families) }) ?? hosts.first else {
            throw .unusableAddress
        }
        ice = ICEDescription(media, in: session)
        switch PacketHost(host) {
        case .unicast(let named): (isNowhere, family) = (false, named)
        // With ICE, zeros mean that the end does not know its own address yet (RFC 8840 §4.1.1).
        case .nowhere: (isNowhere, family) = (ice == nil, nil)
        case .unusable: throw .unusableAddress
        }
        address = MediaAddress(host: host, port: media.port)
        sharesPort = media.hasFlag("rtcp-mux")
        control = Self.control(media, host: host)
        let formats = Self.formats(media)
        codecs = formats.compactMap { Self.codec($0, in: media) }
        guard !codecs.isEmpty else { throw .noCommonCodec }
        events = formats.reduce(into: [:]) { table, format in
            guard let rate = format.eventRate, table[rate] == nil else { return }
            table[rate] = format.payloadType
        }
        redundancy = Self.redundancy(formats, of: codecs, in: media)
        crypto = transport == .dtls ? [] : media.values(of: "crypto").compactMap(CryptoAttribute.init)
        // Before RFC 5764 defined a transport for it, browsers used that of SDES. An end that leaves the choice to the
        // other one uses that of clear voice (RFC 8643 §3.2).
        dtls = transport == .dtls || crypto.isEmpty ? DTLSLine(media, in: session) : nil
        mayBeClear = transport == .clear
        self.transport = dtls == nil ? transport : .dtls
        reports = Self.reports(media, in: session)
        direction = Direction(of: media, in: session)
        packetMilliseconds = Self.number(media, "ptime")
        longestPacketMilliseconds = Self.number(media, "maxptime")
    }

    /// Whether our packets can go there.
    /// - Parameters:
    /// - families: The families of our sockets.
    /// - usesICE: Whether we use ICE in this call, which finds other addresses.
    func isReachable(within families: Set<IPFamily>, usesICE: Bool) -> Bool {
        guard let family, !(usesICE && ice != nil) else { return true }
        return families.contains(family)
    }

    /// The direction that the end wants, stated by its attribute or by an address of zeros.
    var wanted: Direction { isNowhere ? Direction(sends: direction.sends, receives: false) : direction }

    /// Length of the packets to send to that end: its request, else ours, within its maximum.
    func packetMilliseconds(preferring own: Int) -> Int {
        let wanted = packetMilliseconds.flatMap { MediaCapabilities.packetLengths.contains($0) ? $0 : nil } ?? own
        let longest = longestPacketMilliseconds ?? MediaCapabilities.longestPacketMilliseconds
        let allowed = MediaCapabilities.packetLengths.filter { $0 <= max(longest, MediaCapabilities.packetLengths[0]) }
        return allowed.last { $0 <= wanted } ?? allowed[0]
    }

    private struct Format {
        var payloadType: UInt8
        /// The text after the type in its `a=rtpmap`. Nil without one, which static types do not need.
        var encoding: Substring?

        /// The clock rate of telephone events. Nil for any other format.
        var eventRate: Int? { clock(named: "telephone-event") }
        /// The clock rate of redundant audio. Nil for any other format.
        var redundantClock: Int? { clock(named: "red") }

        private func clock(named name: String) -> Int? {
            guard let parts = encoding?.split(separator: "/"), parts.first?.lowercased() == name else { return nil }
            return parts.count == 1 ? 8_000 : Int(parts[1])
        }
    }

    /// The formats that are valid payload types, in the order of the `m=` line.
    private static func formats(_ media: MediaDescription) -> [Format] {
        let maps = media.values(of: "rtpmap").compactMap { map -> Format? in
            let fields = map.split(separator: " ")
            guard fields.count == 2, let type = UInt8(fields[0]) else { return nil }
            return Format(payloadType: type, encoding: fields[1])
        }
        return media.formats.compactMap { text in
            guard let type = UInt8(text), String(type) == text, MediaCapabilities.isPayloadType(type) else {
                return nil
            }
            return maps.first { $0.payloadType == type } ?? Format(payloadType: type)
        }
    }

    private static func codec(_ format: Format, in media: MediaDescription) -> Codec? {
        guard
            let codec = format.encoding.map(AudioCodec.init(encoding:))
                ?? AudioCodec(staticPayloadType: format.payloadType)
        else { return nil }
        let parameters = codec == .opus ? Self.opusParameters(of: format, in: media) : OpusParameters()
        return Codec(name: codec, payloadType: format.payloadType, parameters: parameters)
    }

    private static func opusParameters(of format: Format, in media: MediaDescription) -> OpusParameters {
        OpusParameters(formatParameters: parameters(of: format, in: media))
    }

    private static func parameters(of format: Format, in media: MediaDescription) -> Substring {
        let prefix = "\(format.payloadType) "
        return media.values(of: "fmtp").first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count) ?? ""
    }

    /// Formats `red` with a codec's clock rate whose parameters name only that codec: `111/111`.
    private static func redundancy(
        _ formats: [Format], of codecs: [Codec], in media: MediaDescription
    ) -> [UInt8: UInt8] {
        formats.reduce(into: [:]) { table, format in
            guard let clock = format.redundantClock else { return }
            let types = parameters(of: format, in: media).split(separator: "/").map { UInt8($0) }
            guard let codec = codecs.first(where: { $0.payloadType == types.first }),
                codec.name.clockRate == clock, types.allSatisfy({ $0 == codec.payloadType }),
                table[codec.payloadType] == nil
            else { return }
            table[codec.payloadType] = format.payloadType
        }
    }

    /// `a=rtcp:port [IN IP4 host]` (RFC 3605), else the next port.
    private static func control(_ media: MediaDescription, host: String) -> MediaAddress? {
        if let fields = media.values(of: "rtcp").first?.split(separator: " "), let first = fields.first,
            let port = UInt16(first), port != 0
        {
            let named = fields.count == 4 ? String(fields[3]) : host
            // Both sockets of a call have the same family.
            return MediaAddress(host: PacketHost(named) == PacketHost(host) ? named : host, port: port)
        }
        return media.port == .max ? nil : MediaAddress(host: host, port: media.port + 1)
    }

    /// A line's own `a=rtcp-xr`, else the session's (RFC 3611 §5.1).
    private static func reports(_ media: MediaDescription, in session: SessionDescription) -> NegotiatedMedia.Reports? {
        let attribute = (media.attributes + session.attributes).first { $0.name == "rtcp-xr" }
        return attribute.map { NegotiatedMedia.Reports(formats: $0.value ?? "") }
    }

    /// A time in whole milliseconds. Zero counts as absent.
    private static func number(_ media: MediaDescription, _ name: String) -> Int? {
        let digits = media.values(of: name).first?.prefix { ("0"..."9").contains($0) }
        return digits.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// How the packets of an audio line are protected, by the `proto` of its `m=` line. Early feedback (AVPF, RFC 4585)
/// makes no difference to us.
enum RTPTransport: Sendable {
    case clear
    /// SRTP, with keys from the signalling (RFC 4568).
    case sdes
    /// SRTP, with keys from a handshake on the media's path (RFC 5764).
    case dtls

    /// Nil for anything but voice over UDP.
    init?(_ name: String) {
        switch name.uppercased() {
        case "RTP/AVP", "RTP/AVPF": self = .clear
        case "RTP/SAVP", "RTP/SAVPF": self = .sdes
        case "UDP/TLS/RTP/SAVP", "UDP/TLS/RTP/SAVPF": self = .dtls
        default: return nil
        }
    }

    /// The name that we write into an offer.
    var name: String {
        switch self {
        case .clear: "RTP/AVP"
        case .sdes: "RTP/SAVP"
        case .dtls: "UDP/TLS/RTP/SAVP"
        }
    }
}

/// The meaning of a `c=` line's host for packets.
///
/// It parses addresses less strictly than `IPAddress`, which rejects numbers with a leading zero.
enum PacketHost: Equatable {
    /// The family is that of the packets: an IPv4-mapped IPv6 address is reached over IPv4 (RFC 4291 §2.5.5.2).
    case unicast(IPFamily)
    /// `0.0.0.0` or `::`: send nothing (the hold of RFC 2543, still accepted by RFC 3264 §8.4).
    case nowhere
    /// A name, a multicast or broadcast address, or unreadable text. We never send packets there.
    case unusable

    init(_ host: String) {
        if let octets = Self.octets(host) {
            switch octets[0] {
            case 0: self = octets == [0, 0, 0, 0] ? .nowhere : .unusable
            case 224...: self = .unusable
            default: self = .unicast(.version4)
            }
        } else if Self.looksLikeIPv6(host) {
            let bytes = IPAddress(host)?.bytes
            let family = bytes?.starts(with: Self.mappedPrefix) ?? false ? IPFamily.version4 : .version6
            let isZero = bytes?.allSatisfy { $0 == 0 } ?? false
            self = isZero ? .nowhere : host.lowercased().hasPrefix("ff") ? .unusable : .unicast(family)
        } else {
            self = .unusable
        }
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Whether packets can go there from a phone with sockets of these families.
    func isUnicast(within families: Set<IPFamily>) -> Bool {
        if case .unicast(let family) = self { families.contains(family) } else { false }
    }

    private static func octets(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { $0.isDecimal ? UInt8($0) : nil }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }

    private static func looksLikeIPv6(_ host: String) -> Bool {
        host.utf8.count <= 45 && host.utf8.count { $0 == UInt8(ascii: ":") } >= 2
            && host.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }
    }
}

/// The extended reports that one end requests from the other: `a=rtcp-xr`, RFC 3611 §5.1.
extension NegotiatedMedia.Reports {
    /// Reads the known formats and ignores others. A summary without flags means every value that we count.
    init(formats text: String) {
        self.init()
        for format in text.lowercased().split(separator: " ") {
            let pair = format.split(separator: "=", maxSplits: 1)
            let flags = pair.count == 2 ? pair[1].split(separator: ",") : ["loss", "dup", "jitt"]
            switch pair[0] {
            case "rcvr-rtt": roundTrip = true
            case "stat-summary":
                loss = flags.contains("loss")
                duplicates = flags.contains("dup")
                jitter = flags.contains("jitt")
            case "voip-metrics": voice = true
            default: break
            }
        }
    }

    /// The reports that we request, which are those that we read. A summary would add no information, and its 28 bytes
    /// would make a usual INVITE too long for a datagram (RFC 3261 §18.1.1).
    static let attribute = SessionDescription.Attribute("rtcp-xr", "rcvr-rtt=all voip-metrics")
}
