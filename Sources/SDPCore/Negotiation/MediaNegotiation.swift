import Base

/// Offer and answer for the voice of one call, from our end (RFC 3264).
///
/// It is a value: to try an answer that may not become final (one of several early dialogs), conclude a copy. Payload
/// types stay the same for the whole call, and a key stays the same while its suite is in use. A call that returns to a
/// suite gets a fresh key, because both ends would restart its packet counter (RFC 3711 §9.1).
public struct MediaNegotiation: Equatable, Sendable {
    struct Settled: Equatable, Sendable {
        /// Our last description, offer or answer.
        var own: SessionDescription
        var audioIndex: Int
        var agreed: Agreement
    }

    enum Stage: Equatable, Sendable {
        case fresh
        case offered(SessionDescription, before: Settled?)
        case settled(Settled)
    }

    public let capabilities: MediaCapabilities
    /// The address at which this phone receives the call's packets.
    public private(set) var local: MediaAddress
    private(set) var sessionID: UInt64
    /// Identifies the session together with its number, so it stays when our address changes (RFC 8866 §5.2, RFC 3264
    /// §8).
    private var originHost: String
    /// The candidates of this phone. Nil: it does not use ICE.
    var ice: LocalICE?
    private(set) var stage = Stage.fresh
    private var lastSaid: SessionDescription?
    private var keys: [CryptoSuite: SecretBytes] = [:]
    /// Whether the far end rejected our first offer, which was protected.
    private var isOfferedInClear = false
    /// Whether our next answer begins a new session.
    private(set) var isRenewed = false
    /// Whether our next answer agrees on another DTLS association.
    private(set) var wantsAssociation = false
    /// Whether voice uses the port for its reports, which is the next one.
    private(set) var usesControlPort = false

    /// - Parameters:
    /// - local: The address at which this phone receives the call's packets, with a numeric host.
    /// - ice: Its candidates. Nil: it does not use ICE.
    public init(
        capabilities: MediaCapabilities, local: MediaAddress, ice: LocalICE? = nil,
        using generator: inout some RandomNumberGenerator
    ) {
        self.capabilities = capabilities
        self.local = local
        self.ice = ice
        originHost = ice?.onlyAddress?.host ?? local.host
        // 62 bits, because some peers read the session number as signed.
        sessionID = UInt64.random(in: 1...(1 << 62), using: &generator)
    }

    /// The terms that apply now. Nil before the first answer. An outstanding offer does not change them yet.
    public var agreed: Agreement? { settled?.agreed }

    /// Whether our offer waits for its answer.
    public var isOffering: Bool {
        switch stage {
        case .offered: true
        case .fresh, .settled: false
        }
    }

    var settled: Settled? {
        switch stage {
        case .fresh: nil
        case .offered(_, let before): before
        case .settled(let settled): settled
        }
    }

    /// Our next offer: the first one, or the agreed terms with another direction. (A default argument instead breaks
    /// the compiler of Swift 6.2 if the generator is an existential.)
    public mutating func offer(
        held: Bool, using generator: inout some RandomNumberGenerator
    ) -> SessionDescription {
        offer(held: held, isOpen: false, using: &generator)
    }

    /// Our next offer: the first one, the agreed terms with another direction, or everything again.
    ///
    /// An offer states its sender's wishes, so the far end's hold plays no part in it. Otherwise a server that passes
    /// the offer on would keep that hold for ever (RFC 6337 §5.1, §5.3).
    ///
    /// - Parameters:
    ///   - held: Whether we hold the far end: `sendonly`.
    ///   - isOpen: Whether to offer everything that a new call would offer. The far end may request that (RFC 3261
    ///     §14.2).
    /// - Precondition: None of our offers is outstanding.
    public mutating func offer(
        held: Bool, isOpen: Bool, using generator: inout some RandomNumberGenerator
    ) -> SessionDescription {
        precondition(!isOffering, "one offer at a time")
        let direction = Direction(sends: true, receives: !held)
        let ice = offeredICE(isOpen: isOpen || settled == nil)
        let media: [MediaDescription]
        if let settled {
            media =
                isOpen
                ? open(settled, ice: ice, direction: direction) : settled.media(ice: ice, direction: direction)
        } else {
            let keying = offeredKeying(using: &generator)
            media = [
                audio(
                    transport: firstTransport(isAsked: isOpen).name, codecs: capabilities.offeredCodecs,
                    events: capabilities.offeredEvents, redundancy: [:],
                    packetMilliseconds: capabilities.packetMilliseconds, sharesPort: true, wantsReports: true,
                    keying: keying, ice: ice, direction: direction)
            ]
        }
        let description = say(media, attributes: settled?.own.attributes ?? [])
        stage = .offered(description, before: settled)
        return description
    }

    /// Whether our first offer may be made again without protection, because the far end rejected it.
    public var mayOfferInClear: Bool { capabilities.protection == .offered && !isOfferedInClear && settled == nil }

    /// Withdraws our first offer. The next one is without protection.
    ///
    /// - Precondition: `mayOfferInClear`.
    public mutating func offerInClear() {
        precondition(mayOfferInClear, "only optional protection may be given up, and only once")
        (isOfferedInClear, stage) = (true, .fresh)
    }

    /// The transport in the first offer, which announces its protection.
    /// - Parameter isAsked: Whether the far end requested the offer. It could not reject it and get another one. So a
    ///   far end without protection has to understand this one: it ignores the keys of `RTP/AVP`.
    private func firstTransport(isAsked: Bool) -> RTPTransport {
        switch capabilities.protection {
        case .mandatory: .sdes
        case .offered: isAsked || isOfferedInClear ? .clear : .sdes
        case .dtls: .dtls
        case .off: .clear
        }
    }

    /// Our last agreed description, as an offer that changes nothing. It has the same version (RFC 3264 §8, RFC 4028
    /// §7.4), unless a later offer was refused, or the far end's hold had restricted our direction in it.
    ///
    /// - Parameter held: Whether we hold the far end.
    /// - Precondition: Terms are agreed, and none of our offers is outstanding.
    public mutating func offerAgain(held: Bool) -> SessionDescription {
        guard case .settled(let settled) = stage else { preconditionFailure("there must be a description to repeat") }
        let media = settled.media(stating: Direction(sends: true, receives: !held))
        let description = say(media, attributes: settled.own.attributes)
        stage = .offered(description, before: settled)
        return description
    }

    /// Receives packets at another host from now on, which our next offer or answer names (RFC 3264 §8.3.1).
    public mutating func move(to host: String) { local.host = host }

    /// Prepares another session, because the far end has lost its session and offers a new one. Our answer will have
    /// this host, the other one of our two ports, other candidates and another handshake. A server that remembers our
    /// former port would otherwise confuse the two sessions. Protection does not become weaker.
    ///
    /// - Precondition: None of our offers is outstanding.
    /// - Returns: Whether the answer will name our present address. If the phone hides behind a server, the address is
    ///   the server's, which is not known here.
    public mutating func renew(
        at host: String, for offer: SessionDescription, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        precondition(!isOffering, "one offer at a time")
        sessionID = UInt64.random(in: 1...(1 << 62), using: &generator)
        local.host = host
        let isHidden = ice?.onlyAddress != nil
        if !isHidden { originHost = host }
        // The other port is free only if reports share the port of voice.
        if ice != nil, !isHidden, offer.media.contains(where: \.sharesAudioPort) {
            local.port ^= 1
            usesControlPort.toggle()
        }
        ice = ice?.renewed(at: local, using: &generator)
        (lastSaid, keys, isRenewed) = (nil, [:], true)
        return !isHidden
    }

    /// Makes our next answer agree on another association, because the far end may have new media under the same
    /// certificate. A far end that keeps its association leaves the handshake unanswered, and nothing is lost.
    public mutating func doubtAssociation() { wantsAssociation = true }

    /// Withdraws our offer, because the far end refused it or we gave it up. The terms before it apply.
    public mutating func withdraw() { stage = settled.map(Stage.settled) ?? .fresh }

    /// Applies the far end's answer to our outstanding offer. On an error the offer stays outstanding.
    public mutating func conclude(_ answer: SessionDescription) throws(NegotiationError) -> Agreement {
        guard case .offered(let offer, let before) = stage else { preconditionFailure("no offer is outstanding") }
        let index = before?.audioIndex ?? 0
        // Surplus lines of an answer have no meaning.
        guard answer.media.count >= offer.media.count, answer.media[index].kind == "audio" else {
            throw .answerDoesNotMatch
        }
        let own = try AudioLine(offer.media[index], in: offer)
        let theirs = try AudioLine(answer.media[index], in: answer, within: capabilities.families)
        guard theirs.isReachable(within: capabilities.families, usesICE: own.ice != nil) else { throw .unusableAddress }
        let protection = try answeredProtection(own: own, theirs: theirs)
        let agreed = try agreement(own: own, theirs: theirs, protection: protection, isOfferer: true)
        var said = offer
        // The next offer must not demand the protection that this answer left out. FreeSWITCH rejects keys in RTP/AVP.
        if protection == nil {
            said.media[index].transport = RTPTransport.clear.name
            said.media[index].attributes.removeAll { $0.name == "crypto" }
        }
        settle(Settled(own: said, audioIndex: index, agreed: agreed))
        return agreed
    }

    /// Answers the far end's offer, first or later. On an error nothing has changed.
    ///
    /// - Precondition: None of our offers is outstanding (that would be glare, which RFC 3261 §14.2 answers with 491).
    public mutating func answer(
        to offer: SessionDescription, held: Bool, using generator: inout some RandomNumberGenerator
    ) throws(NegotiationError) -> (description: SessionDescription, agreed: Agreement) {
        precondition(!isOffering, "one offer at a time")
        let choice = try capabilities.choose(
            in: offer, insteadOf: agreed?.media.protection, usesICE: ice != nil,
            at: IPAddress(defaultAddress.host)?.family)
        let line = offer.media[choice.index]
        let theirs = choice.audio
        let ice = try answeredICE(theirs, using: &generator)
        let (protection, keying) = answered(choice.protection, using: &generator)
        let media = offer.media.enumerated().map { index, other in
            guard index == choice.index else { return other.refused }
            var media = audio(
                transport: line.transport, codecs: [choice.codec],
                events: theirs.events.filter { choice.codec.name.eventRates.contains($0.key) },
                redundancy: theirs.redundancy, packetMilliseconds: packetMilliseconds(to: theirs),
                sharesPort: theirs.sharesPort, wantsReports: theirs.reports != nil, keying: keying, ice: ice,
                direction: Direction(sends: true, receives: !held).intersection(theirs.wanted.mirrored))
            media.attributes += line.identification
            return media
        }
        let description = say(media, attributes: offer.bundle(of: line))
        let own = try AudioLine(description.media[choice.index], in: description)
        let agreed = try agreement(own: own, theirs: theirs, protection: protection, isOfferer: false)
        settle(Settled(own: description, audioIndex: choice.index, agreed: agreed))
        return (description, agreed)
    }

    /// Answers an offer without media lines. Nothing is agreed until a later offer (RFC 3264 §5).
    ///
    /// - Precondition: Nothing was offered or agreed before.
    public mutating func answerWithoutMedia() -> SessionDescription {
        guard case .fresh = stage else { preconditionFailure("this must be the first offer") }
        return say([], attributes: [])
    }

    /// Accepts an offer's protection, and makes the attributes of our line for it.
    private mutating func answered(
        _ offered: MediaCapabilities.Protection, using generator: inout some RandomNumberGenerator
    ) -> (NegotiatedMedia.Protection?, [SessionDescription.Attribute]) {
        switch offered {
        case .none: return (nil, [])
        case .sdes(let theirs):
            let key = key(for: theirs.suite, using: &generator)
            let own = CryptoAttribute(tag: theirs.tag, suite: theirs.suite, key: key)
            return (.sdes(.init(own: own, theirs: theirs)), [own.attribute])
        case .dtls(let theirs):
            let kept = isRenewed ? nil : agreed?.media.dtls
            let current = kept.flatMap { $0.fingerprints == theirs.digests ? $0.isActive : nil }
            guard let isActive = theirs.setup.answererIsActive(keeping: current) else {
                preconditionFailure("an offer without a handshake cannot be chosen")
            }
            let keying = dtlsKeying(isActive ? .active : .passive)
            return (.dtls(.init(isActive: isActive, fingerprints: theirs.digests)), keying)
        }
    }

    private mutating func settle(_ next: Settled) {
        if let left = agreed?.media.protection?.suite, left != next.agreed.media.protection?.suite { keys[left] = nil }
        stage = .settled(next)
        (isRenewed, wantsAssociation) = (false, false)
    }

    /// The agreement of both lines. It is the same function for offerer and answerer.
    private func agreement(
        own: AudioLine, theirs: AudioLine, protection: NegotiatedMedia.Protection?, isOfferer: Bool
    ) throws(NegotiationError) -> Agreement {
        let ice = try session(own: own, theirs: theirs, isOfferer: isOfferer)
        let pairs = codecs(own: own, theirs: theirs)
        guard let (sent, received) = pairs.first else { throw .noCommonCodec }
        let redundancy = theirs.redundancy[sent.payloadType].flatMap { send in
            own.redundancy[received.payloadType].map {
                NegotiatedMedia.Redundancy(sendPayloadType: send, receivePayloadType: $0)
            }
        }
        let shared = own.sharesPort && theirs.sharesPort
        let remote = theirs.isNowhere ? agreed?.media.remote ?? theirs.address : theirs.address
        let direction = own.direction.intersection(theirs.wanted.mirrored)
        let media = NegotiatedMedia(
            remote: remote, remoteControl: shared ? nil : theirs.control,
            codec: .init(
                sent.name, sendPayloadType: sent.payloadType, receivePayloadType: received.payloadType,
                packetMilliseconds: packetMilliseconds(to: theirs), maximumBitrate: sent.parameters.maximumBitrate,
                farEndUsesFEC: sent.parameters.usesFEC, farEndUsesDTX: sent.parameters.usesDTX),
            otherFormats: otherFormats(pairs, own: own),
            telephoneEvents: events(with: sent.name, own: own, theirs: theirs), redundancy: redundancy,
            reports: theirs.reports,
            protection: numbered(protection, own: own, theirs: theirs, at: remote, hasICE: ice != nil), ice: ice,
            sends: direction.sends, receives: direction.receives)
        return Agreement(
            media: media, heldByFarEnd: !theirs.wanted.receives,
            isAwaitedByICE: protection?.isHandshake == true && ice == nil && theirs.ice != nil,
            associationName: associationName(of: protection, theirs: theirs))
    }

    /// The length of the packets that we send.
    private func packetMilliseconds(to theirs: AudioLine) -> Int {
        theirs.packetMilliseconds(preferring: capabilities.packetMilliseconds)
    }

    /// Makes our next description. It has a new version if it differs from the last one (RFC 3264 §8).
    private mutating func say(
        _ media: [MediaDescription], attributes: [SessionDescription.Attribute]
    ) -> SessionDescription {
        var version: UInt64 = 1
        if let lastSaid {
            let isSame = lastSaid.media == media && lastSaid.host == defaultAddress.host
            version = lastSaid.origin.version + (isSame ? 0 : 1)
        }
        let description = SessionDescription(
            origin: .init(sessionID: String(sessionID), version: version, host: originHost), host: defaultAddress.host,
            attributes: attributes, media: media)
        lastSaid = description
        return description
    }

    private mutating func offeredKeying(
        using generator: inout some RandomNumberGenerator
    ) -> [SessionDescription.Attribute] {
        switch capabilities.protection {
        case .off: return []
        case .offered where isOfferedInClear: return []
        case .dtls: return dtlsKeying(.actpass)
        case .mandatory, .offered:
            var lines: [CryptoAttribute] = []
            for (index, suite) in capabilities.suites.enumerated() {
                lines.append(CryptoAttribute(tag: index + 1, suite: suite, key: key(for: suite, using: &generator)))
            }
            return lines.map(\.attribute)
        }
    }

    private mutating func key(
        for suite: CryptoSuite, using generator: inout some RandomNumberGenerator
    ) -> SecretBytes {
        if let key = keys[suite] { return key }
        let fresh = suite.freshKey(using: &generator)
        keys[suite] = fresh
        return fresh
    }
}

extension MediaDescription {
    fileprivate var sharesAudioPort: Bool { kind == "audio" && port != 0 && hasFlag("rtcp-mux") }
}
