import Base
import PhoneCore
import RTPCore
import SoundCore

/// The negotiated media, checked and prepared for the real-time threads: numbers, addresses and keys, no text.
///
/// Immutable except for the SRTP sessions in the keys, each of which belongs to one thread.
final class PreparedMedia: Sendable {
    struct Events: Sendable {
        let sendPayloadType: UInt8
        let clockRate: Int
        /// A bit for each payload type under which the far end may send events, so that the network thread looks a type up
        /// without a reference.
        private let received: UInt128

        init(_ agreed: NegotiatedMedia.TelephoneEvents) {
            (sendPayloadType, clockRate) = (agreed.sendPayloadType, agreed.clockRate)
            let types = [agreed.receivePayloadType] + (agreed.otherPayloadTypes ?? [])
            received = types.reduce(0) { $0 | 1 << UInt128($1) }
        }

        /// Whether packets of this type are events.
        func have(_ payloadType: UInt8) -> Bool { received >> UInt128(payloadType) & 1 == 1 }
    }

    /// Number of these terms within the call; newer terms have a higher number.
    let number: UInt32
    let voice: PeerAddress
    /// The address for RTCP; the address of the voice when multiplexed.
    let control: PeerAddress
    let isMultiplexed: Bool
    let codec: VoiceCodec
    let sendPayloadType: UInt8
    let receivePayloadType: UInt8
    /// Everything that the far end may send as voice.
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
    /// Whether the two ends send each other reports (RTCP). Nobody answers a page.
    let isReported: Bool
    let sends: Bool
    let receives: Bool
    /// Whether ICE finds the path.
    var negotiatesPath: Bool { iceSession != nil }
    var iceSession: NegotiatedMedia.ICESession? { negotiated.ice }
    /// Nil unless the keys come from a handshake.
    var association: NegotiatedMedia.DTLSAssociation? { negotiated.dtls }
    /// The path that ICE has found. Nil: none yet, or it does not look for one.
    let path: MediaFlow?
    /// Nil unless the keys come from a handshake.
    let handshake: Handshake?
    let sendKeys: SendKeys?
    let receiveKeys: ReceiveKeys?
    /// The handshake for reports on a port of their own, and its keys (RFC 5764 §4.1, §5.1.2). Nil: they have the voice's.
    let controlHandshake: Handshake?
    private let controlSendKeys: SendKeys?
    private let controlReceiveKeys: ReceiveKeys?
    private let keys: CallKeys
    /// What was prepared, for when a handshake has brought the keys.
    private let negotiated: NegotiatedMedia

    /// - Parameters:
    ///   - source: our own SSRC, to which outgoing keys are bound.
    ///   - previous: the terms until now; keys that the call already had are taken from them.
    ///   - handshakes: present if the terms ask for them.
    ///   - secured: the keys from the voice's handshake.
    ///   - securedControl: those from that of the reports.
    ///   - path: the path that ICE has found, or none; nil: that of the terms until now.
    init(
        _ negotiated: NegotiatedMedia, number: UInt32, source: UInt32, settings: MediaSettings, isIPv6: Bool,
        previous: PreparedMedia?, isReported: Bool = true, handshakes: Handshake.Pair? = nil,
        secured: NegotiatedMedia.MasterKeys? = nil, securedControl: NegotiatedMedia.MasterKeys? = nil,
        path: MediaFlow?? = nil
    ) throws(MediaError) {
        precondition((negotiated.dtls == nil) == (handshakes == nil), "a handshake is there if the terms ask for it")
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
        try Self.checkPayloadTypes(negotiated)
        guard [10, 20, 40, 60].contains(codec.packetMilliseconds) else {
            throw .badPlan("packets of \(codec.packetMilliseconds) ms")
        }
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
    }

    /// The same terms with the keys that one of their handshakes has brought.
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

    /// The same terms on the path that ICE has found. Nil: on none.
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

    /// Whether the handshake has not brought keys yet: until then there is neither voice nor any report.
    var awaitsKeys: Bool { handshake != nil && receiveKeys == nil }

    /// Whether there is no path yet: until then nothing is sent but what looks for one.
    var awaitsPath: Bool { negotiatesPath && path == nil }

    /// Whether voice may go both ways.
    var mayExchange: Bool { !awaitsKeys && !awaitsPath }

    /// Whether reports may be sent.
    var mayReport: Bool { isReported && mayExchange && (controlHandshake == nil || controlSendKeys != nil) }

    /// Whether voice has the port that is meant for its reports.
    var usesControlPort: Bool { negotiated.ice?.usesControlPort ?? false }

    var handshakes: Handshake.Pair? { handshake.map { .init(voice: $0, control: controlHandshake) } }

    /// The handshakes and the keys for the network thread, which borrows them.
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
        case voice
        case event
        /// Voice, preceded by the contents of earlier packets.
        case repeating
        case silence
    }

    /// The contents for a payload type; nil for a type that was not agreed. Comfort noise (RFC 3389) is accepted
    /// without agreement, because desk phones send it without an offer, and it shows that the far end is there.
    func content(of payloadType: UInt8) -> Content? {
        if formats.codec(of: payloadType) != nil { return .voice }
        if events?.have(payloadType) == true { return .event }
        if redundancy?.receivePayloadType == payloadType { return .repeating }
        return payloadType == 13 && formats.haveTelephone ? .silence : nil
    }

    /// Where packets go without ICE. With it, what the terms say may be no address to send to.
    private static func address(_ negotiated: NegotiatedMedia, isIPv6: Bool) throws(MediaError) -> PeerAddress {
        guard negotiated.ice != nil else { return try address(negotiated.remote, isIPv6: isIPv6) }
        guard let peer = PeerAddress(negotiated.remote) else { throw .badAddress(negotiated.remote.host) }
        return peer
    }

    private static func address(_ address: MediaAddress, isIPv6: Bool) throws(MediaError) -> PeerAddress {
        guard let peer = PeerAddress(address) else { throw .badAddress(address.host) }
        guard peer.port != 0 else { throw .badPlan("port 0") }
        guard isIPv6 || peer.isIPv4 else { throw .badPlan("an IPv6 peer, and an IPv4 socket here") }
        return peer
    }

    private static func checkPayloadTypes(_ negotiated: NegotiatedMedia) throws(MediaError) {
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
