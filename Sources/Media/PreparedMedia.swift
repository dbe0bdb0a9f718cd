import Base
import PhoneCore
import RTPCore
import SoundCore

/// The negotiated media, checked and prepared for the real-time threads: numbers, addresses and keys, no text.
///
/// Immutable except for the SRTP sessions in the keys, each of which one thread uses.
final class PreparedMedia: Sendable {
    struct Events: Sendable {
        let sendPayloadType: UInt8
        let clockRate: Int
        /// One bit for each payload type of the far end's events. A real-time thread looks a type up without touching a
        /// reference.
        private let received: UInt128

        init(_ agreed: NegotiatedMedia.TelephoneEvents) {
            (sendPayloadType, clockRate) = (agreed.sendPayloadType, agreed.clockRate)
            let types = [agreed.receivePayloadType] + (agreed.otherPayloadTypes ?? [])
            received = types.reduce(0) { $0 | 1 << UInt128($1) }
        }

        /// Whether packets of this type are events.
        func have(_ payloadType: UInt8) -> Bool { received >> UInt128(payloadType) & 1 == 1 }
    }

    /// Number of these terms within the call. Newer terms have a higher number.
    let number: UInt32
    /// Number of the first of the call's latest terms that have the same voice address, protection and use of ICE. What
    /// was learned about the far end's port counts for these.
    let addressNumber: UInt32
    let voice: TransportAddress
    /// The address for RTCP; the voice's address when RTP and RTCP are multiplexed.
    let control: TransportAddress
    let isMultiplexed: Bool
    let codec: VoiceCodec
    let sendPayloadType: UInt8
    let receivePayloadType: UInt8
    /// The formats in which the far end may send voice.
    let formats: VoiceFormats
    /// Samples per packet that we send.
    let packetSamples: Int
    /// Bit rates for Opus, in bit/s.
    let bitrates: Bitrates
    let usesFEC: Bool
    let usesDTX: Bool
    let events: Events?
    /// Payload types of packets that repeat earlier voice (RFC 2198).
    let redundancy: NegotiatedMedia.Redundancy?
    /// Extended reports that the far end asks for.
    let reports: NegotiatedMedia.Reports?
    /// Whether the two ends exchange RTCP. Pages have no RTCP, because nobody answers them.
    let isReported: Bool
    let sends: Bool
    let receives: Bool
    /// Whether ICE finds the path.
    var negotiatesPath: Bool { iceSession != nil }
    var iceSession: NegotiatedMedia.ICESession? { negotiated.ice }
    /// Nil unless the keys come from a handshake.
    var association: NegotiatedMedia.DTLSAssociation? { negotiated.dtls }
    /// The path that ICE selected. Nil: ICE has none yet, or is not used.
    let path: MediaFlow?
    /// Nil unless the keys come from a handshake.
    let handshake: Handshake?
    let sendKeys: SendKeys?
    let receiveKeys: ReceiveKeys?
    /// The handshake for RTCP on its own port, and its keys (RFC 5764 §4.1, §5.1.2). Nil: RTCP uses the voice's keys.
    let controlHandshake: Handshake?
    private let controlSendKeys: SendKeys?
    private let controlReceiveKeys: ReceiveKeys?
    private let keys: CallKeys
    /// The negotiated media, to prepare them again when a handshake brings keys or ICE a path.
    private let negotiated: NegotiatedMedia

    /// - Parameters:
    ///   - source: our SSRC. Outgoing keys are bound to it.
    ///   - previous: the terms until now. The call's existing keys are taken from them.
    ///   - handshakes: present if the terms ask for them.
    ///   - secured: the keys from the voice's handshake.
    ///   - securedControl: the keys from RTCP's handshake.
    ///   - path: the path that ICE selected, or none. Nil: keep the path of `previous`.
    init(
        _ negotiated: NegotiatedMedia, number: UInt32, source: UInt32, settings: MediaSettings, isIPv6: Bool,
        previous: PreparedMedia?, isReported: Bool = true, handshakes: Handshake.Pair? = nil,
        secured: NegotiatedMedia.MasterKeys? = nil, securedControl: NegotiatedMedia.MasterKeys? = nil,
        path: MediaFlow?? = nil
    ) throws(MediaError) {
        precondition((negotiated.dtls == nil) == (handshakes == nil), "handshakes belong to DTLS terms")
        self.negotiated = negotiated
        let handshake = handshakes?.voice
        self.handshake = handshake
        controlHandshake = handshakes?.control
        self.number = number
        self.isReported = isReported
        let found = negotiated.ice == nil ? nil : path ?? previous?.path
        self.path = found
        voice = if let found { found.remote } else { try Self.address(negotiated, isIPv6: isIPv6) }
        control =
            try negotiated.remoteControl.map { (address) throws(MediaError) in
                try Self.address(address, isIPv6: isIPv6)
            } ?? voice
        isMultiplexed = negotiated.remoteControl == nil
        let codec = negotiated.codec
        try Self.check(negotiated)
        self.codec = VoiceCodec(codec.name)
        sendPayloadType = codec.sendPayloadType
        receivePayloadType = codec.receivePayloadType
        var formats = VoiceFormats(codec.receivePayloadType, VoiceCodec(codec.name))
        for other in negotiated.otherFormats ?? [] { formats.add(other.payloadType, VoiceCodec(other.codec)) }
        self.formats = formats
        packetSamples = codec.packetMilliseconds * SoundFormat.samplesPerMillisecond
        usesFEC = codec.farEndUsesFEC
        bitrates = Bitrates(
            configured: settings.opusBitrate, maximum: codec.maximumBitrate ?? .max, canRepair: usesFEC)
        usesDTX = codec.farEndUsesDTX
        events = negotiated.telephoneEvents.map(Events.init)
        redundancy = negotiated.redundancy
        reports = negotiated.reports
        (sends, receives) = (negotiated.sends, negotiated.receives)
        var keys = previous?.keys ?? CallKeys()
        if let master = secured ?? negotiated.sdes {
            sendKeys = try keys.sending(master, source: source)
            receiveKeys = try keys.receiving(master)
        } else {
            let isSame = handshake != nil && handshake === previous?.handshake
            (sendKeys, receiveKeys) = isSame ? (previous?.sendKeys, previous?.receiveKeys) : (nil, nil)
        }
        if let securedControl {
            controlSendKeys = try keys.sending(securedControl, source: source)
            controlReceiveKeys = try keys.receiving(securedControl)
        } else {
            let isSame = controlHandshake != nil && controlHandshake === previous?.controlHandshake
            (controlSendKeys, controlReceiveKeys) =
                isSame ? (previous?.controlSendKeys, previous?.controlReceiveKeys) : (nil, nil)
        }
        self.keys = keys
        let isProtected = handshake != nil || receiveKeys != nil
        let isSameAddress = previous?.hasAddress(voice, isProtected, negotiatesPath: negotiated.ice != nil) == true
        addressNumber = isSameAddress ? previous?.addressNumber ?? number : number
    }

    private func hasAddress(_ voice: TransportAddress, _ isProtected: Bool, negotiatesPath: Bool) -> Bool {
        self.voice == voice && self.isProtected == isProtected && self.negotiatesPath == negotiatesPath
    }

    /// The same terms with the keys from one of their handshakes.
    convenience init(
        secured: NegotiatedMedia.MasterKeys, by handshake: Handshake, _ previous: PreparedMedia, of call: CallMedia,
        settings: MediaSettings
    ) throws(MediaError) {
        let isControl = handshake === previous.controlHandshake
        try self.init(
            previous.negotiated, number: previous.number + 1, source: call.source, settings: settings,
            isIPv6: call.sockets.isIPv6, previous: previous, isReported: previous.isReported,
            handshakes: previous.handshakes, secured: isControl ? nil : secured,
            securedControl: isControl ? secured : nil)
    }

    /// The same terms on the path that ICE selected. Nil: without a path.
    convenience init(
        on path: MediaFlow?, _ previous: PreparedMedia, of call: CallMedia, settings: MediaSettings
    ) throws(MediaError) {
        try self.init(
            previous.negotiated, number: previous.number + 1, source: call.source, settings: settings,
            isIPv6: call.sockets.isIPv6, previous: previous, isReported: previous.isReported,
            handshakes: previous.handshakes, path: .some(path))
    }

    /// Whether packets are protected, or will be.
    var isProtected: Bool { handshake != nil || receiveKeys != nil }

    /// Whether the handshake is still to bring keys. Until then neither voice nor RTCP is sent.
    var awaitsKeys: Bool { handshake != nil && receiveKeys == nil }

    /// Whether ICE still has no path. Until then only ICE's own packets are sent.
    var awaitsPath: Bool { negotiatesPath && path == nil }

    /// Whether voice may go both ways.
    var mayExchange: Bool { !awaitsKeys && !awaitsPath }

    /// Whether reports may be sent.
    var mayReport: Bool { isReported && mayExchange && (controlHandshake == nil || controlSendKeys != nil) }

    /// Whether voice uses the port that is meant for RTCP.
    var usesControlPort: Bool { negotiated.ice?.usesControlPort ?? false }

    var handshakes: Handshake.Pair? { handshake.map { .init(voice: $0, control: controlHandshake) } }

    /// The handshakes and the keys for the real-time threads, which borrow them.
    var borrowedHandshake: Borrowed<Handshake>? { handshake.map { Borrowed($0) } }
    var borrowedSendKeys: Borrowed<SendKeys>? { sendKeys.map { Borrowed($0) } }
    var borrowedReceiveKeys: Borrowed<ReceiveKeys>? { receiveKeys.map { Borrowed($0) } }
    var borrowedControlHandshake: Borrowed<Handshake>? { controlHandshake.map { Borrowed($0) } }
    var borrowedControlSendKeys: Borrowed<SendKeys>? {
        controlHandshake == nil ? borrowedSendKeys : controlSendKeys.map { Borrowed($0) }
    }
    var borrowedControlReceiveKeys: Borrowed<ReceiveKeys>? {
        controlHandshake == nil ? borrowedReceiveKeys : controlReceiveKeys.map { Borrowed($0) }
    }

    /// The contents of an arriving packet.
    enum Content {
        case voice(VoiceCodec)
        case event
        /// Voice with the contents of earlier packets in front (RFC 2198).
        case repeating
        case silence
    }

    /// The contents for a payload type; nil for a type that was not negotiated. Comfort noise (RFC 3389) needs no
    /// negotiation: desk phones send it without an offer, and it shows that the far end is there.
    func content(of payloadType: UInt8) -> Content? {
        if let codec = formats.codec(of: payloadType) { return .voice(codec) }
        if events?.have(payloadType) == true { return .event }
        if redundancy?.receivePayloadType == payloadType { return .repeating }
        return payloadType == 13 && formats.haveTelephone ? .silence : nil
    }

    /// The address for packets without ICE. With ICE, the description's address may be unusable.
    private static func address(_ negotiated: NegotiatedMedia, isIPv6: Bool) throws(MediaError) -> TransportAddress {
        guard negotiated.ice != nil else { return try address(negotiated.remote, isIPv6: isIPv6) }
        guard let peer = TransportAddress(host: negotiated.remote.host, port: negotiated.remote.port) else {
            throw .badAddress(negotiated.remote.host)
        }
        return peer
    }

    private static func address(_ address: MediaAddress, isIPv6: Bool) throws(MediaError) -> TransportAddress {
        guard let peer = TransportAddress(host: address.host, port: address.port) else {
            throw .badAddress(address.host)
        }
        guard peer.port != 0 else { throw .badPlan("port 0") }
        guard isIPv6 || !peer.address.isVersion6 else {
            throw .badPlan("the far end has an IPv6 address, but our socket is IPv4")
        }
        return peer
    }

    private static func check(_ negotiated: NegotiatedMedia) throws(MediaError) {
        guard [10, 20, 40, 60].contains(negotiated.codec.packetMilliseconds) else {
            throw .badPlan("unsupported packet time: \(negotiated.codec.packetMilliseconds) ms")
        }
        let events = negotiated.telephoneEvents
        let types =
            [
                negotiated.codec.sendPayloadType, negotiated.codec.receivePayloadType, events?.sendPayloadType,
                events?.receivePayloadType, negotiated.redundancy?.sendPayloadType,
                negotiated.redundancy?.receivePayloadType,
            ] + (negotiated.otherFormats ?? []).map(\.payloadType) + (events?.otherPayloadTypes ?? [])
        guard types.compactMap(\.self).allSatisfy({ $0 < 128 }) else { throw .badPlan("a payload type above 127") }
        if let events {
            guard (8_000...48_000).contains(events.clockRate) else {
                throw .badPlan("telephone events at \(events.clockRate) Hz")
            }
        }
    }
}
