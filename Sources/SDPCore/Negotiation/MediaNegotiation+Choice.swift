import Base

extension MediaCapabilities {
    /// Checks whether we can answer an offer with voice, before there is a local port for the answer.
    public func check(_ offer: SessionDescription) throws(NegotiationError) {
        let choice = try choose(in: offer, usesICE: answersICE)
        if requiresICE, choice.audio.ice == nil || !choice.audio.sharesPort { throw .iceRequired }
    }

    /// The part of a line's protection that we accept.
    enum Protection {
        case none
        case sdes(CryptoAttribute)
        case dtls(DTLSLine)
    }

    /// The audio line of an offer that we accept, with its codec and protection.
    struct Choice {
        var index: Int
        var audio: AudioLine
        var codec: AudioLine.Codec
        var protection: Protection

        /// How well the line is protected. Among equals, a line of our own address family is better, because the far
        /// end can certainly send to the address in our answer.
        fileprivate func rank(at own: IPFamily?) -> Int {
            let isNear = own != nil && audio.family == own ? 1 : 0
            return switch protection {
            case .none: isNear
            case .sdes: 2 + isNear
            case .dtls: 4 + isNear
            }
        }
    }

    /// Chooses the best of the lines that we can accept, and the first one among equals. Peers that leave the choice to
    /// us offer the same voice on several lines. If no line is acceptable, it throws the first line's fault.
    /// - Parameters:
    ///   - current: The protection of the call so far.
    /// - usesICE: Whether we use ICE in this call, if the far end does.
    /// - own: The address family of our answer. Nil: not known yet.
    func choose(
        in offer: SessionDescription, insteadOf current: NegotiatedMedia.Protection? = nil, usesICE: Bool,
        at own: IPFamily? = nil
    ) throws(NegotiationError) -> Choice {
        var fault: NegotiationError?
        var choices: [Choice] = []
        for (index, media) in offer.media.enumerated() {
            do throws(NegotiationError) {
                let audio = try AudioLine(media, in: offer, within: families)
                guard audio.isReachable(within: families, usesICE: usesICE) else { throw .unusableAddress }
                // The order is the offerer's preference. By following it, both ends send the same codec
                // (RFC 3264 §6.1).
                guard let codec = audio.codecs.first(where: { codecs.contains($0.name) }) else { throw .noCommonCodec }
                let protection = try protection(of: audio, insteadOf: current)
                choices.append(Choice(index: index, audio: audio, codec: codec, protection: protection))
            } catch {
                if error != .noAudio { fault = fault ?? error }
            }
        }
        guard let best = choices.map({ $0.rank(at: own) }).max(),
            let choice = choices.first(where: { $0.rank(at: own) == best })
        else { throw fault ?? .noAudio }
        return choice
    }

    /// The protection that we accept from an offer, according to our policy. It never becomes weaker in a call.
    private func protection(
        of audio: AudioLine, insteadOf current: NegotiatedMedia.Protection?
    ) throws(NegotiationError) -> Protection {
        switch (protection, audio.transport) {
        case (.off, _) where audio.mayBeClear: return .none
        case (.off, .clear), (.off, .sdes), (.off, .dtls): throw .protectionUnsupported
        case (.mandatory, .dtls), (.offered, .dtls), (.dtls, .dtls):
            if fingerprint != nil, let line = audio.dtls, line.setup != .holdconn { return .dtls(line) }
            guard audio.mayBeClear, protection != .dtls else { throw .protectionUnsupported }
            return try keys(of: audio, insteadOf: current)
        case (.dtls, .clear), (.dtls, .sdes): throw .protectionRequired
        case (.mandatory, .clear), (.mandatory, .sdes), (.offered, .clear), (.offered, .sdes):
            return try keys(of: audio, insteadOf: current)
        }
    }

    private func keys(
        of audio: AudioLine, insteadOf current: NegotiatedMedia.Protection?
    ) throws(NegotiationError) -> Protection {
        if case .dtls? = current { throw .protectionRequired }
        if let line = audio.crypto.first(where: { takes($0.suite) && $0.suite.mayReplace(current?.suite) }) {
            return .sdes(line)
        }
        guard audio.mayBeClear else { throw .protectionUnsupported }
        guard protection == .offered, current == nil else { throw .protectionRequired }
        return .none
    }
}

extension MediaNegotiation {
    /// The protection that an answer selects.
    func answeredProtection(own: AudioLine, theirs: AudioLine) throws(NegotiationError) -> NegotiatedMedia.Protection? {
        // An end that names a handshake beside clear voice does not insist on it.
        let answered = theirs.mayBeClear && own.transport != .dtls ? RTPTransport.clear : theirs.transport
        switch (own.transport, answered) {
        case (.dtls, .dtls):
            guard let ours = own.dtls, let line = theirs.dtls,
                let isActive = ours.setup.offererIsActive(answered: line.setup)
            else { throw .protectionUnsupported }
            return .dtls(.init(isActive: isActive, fingerprints: line.digests))
        case (.dtls, .clear), (.dtls, .sdes): throw .protectionRequired
        case (.clear, .dtls), (.sdes, .dtls): throw .protectionUnsupported
        case (.clear, .clear), (.clear, .sdes), (.sdes, .clear), (.sdes, .sdes):
            return try answeredCrypto(own: own, theirs: theirs).map { .sdes(.init(own: $0.own, theirs: $0.theirs)) }
        }
    }

    /// The pair of key lines that an answer selects: its own, and ours with the same tag (RFC 4568 §5.1.3).
    private func answeredCrypto(
        own: AudioLine, theirs: AudioLine
    ) throws(NegotiationError) -> (own: CryptoAttribute, theirs: CryptoAttribute)? {
        let current = agreed?.media.protection?.suite
        let pair = theirs.crypto.lazy.filter { $0.suite.mayReplace(current) }.compactMap { answer in
            own.crypto.first { $0.tag == answer.tag && $0.suite == answer.suite }.map { (own: $0, theirs: answer) }
        }.first
        // An answer must not remove the protection of a call.
        let isRequired = capabilities.protection == .mandatory || agreed?.media.protection != nil
        switch (isRequired, !theirs.mayBeClear, pair) {
        case (_, _, let pair?): return pair
        case (_, true, nil): throw .protectionUnsupported
        case (true, false, nil): throw .protectionRequired
        case (false, false, nil): return nil
        }
    }

    /// Our audio line.
    /// - Parameters:
    ///   - events: Payload type by clock rate.
    ///   - redundancy: Payload type by that of the codec.
    ///   - packetMilliseconds: The length of packets.
    ///   - keying: The attributes for keys.
    ///   - ice: The attributes for candidates. Empty: without ICE.
    func audio(
        transport: String, codecs: [AudioLine.Codec], events: [Int: UInt8], redundancy: [UInt8: UInt8],
        packetMilliseconds: Int, sharesPort: Bool, wantsReports: Bool, keying: [SessionDescription.Attribute],
        ice: [SessionDescription.Attribute], direction: Direction
    ) -> MediaDescription {
        let events = events.sorted { $0.key > $1.key }
        var attributes: [SessionDescription.Attribute] = []
        for codec in codecs {
            attributes.append(.init("rtpmap", "\(codec.payloadType) \(codec.name.encoding)"))
            guard codec.name == .opus else { continue }
            attributes.append(.init("fmtp", "\(codec.payloadType) \(capabilities.opus.formatParameters)"))
        }
        let repeated = codecs.compactMap { codec in redundancy[codec.payloadType].map { (codec: codec, type: $0) } }
        for (codec, type) in repeated {
            attributes.append(.init("rtpmap", "\(type) \(codec.name.redundantEncoding)"))
            attributes.append(.init("fmtp", "\(type) \(codec.payloadType)/\(codec.payloadType)"))
        }
        for (rate, type) in events {
            attributes.append(.init("rtpmap", "\(type) telephone-event/\(rate)"))
            attributes.append(.init("fmtp", "\(type) 0-15"))
        }
        attributes.append(.init("ptime", String(packetMilliseconds)))
        attributes.append(.init("maxptime", String(MediaCapabilities.longestPacketMilliseconds)))
        if sharesPort { attributes.append(.init("rtcp-mux")) }
        if wantsReports { attributes.append(NegotiatedMedia.Reports.attribute) }
        attributes += keying + ice
        if !ice.isEmpty, let source = capabilities.source { attributes.append(source.attribute) }
        attributes.append(.init(direction.rawValue))
        return MediaDescription(
            kind: "audio", port: defaultAddress.port, transport: transport,
            formats: (codecs.map(\.payloadType) + repeated.map(\.type) + events.map(\.value)).map(String.init),
            attributes: attributes)
    }
}

extension MediaNegotiation {
    /// The agreed lines again, with all our codecs. A codec or event format with a payload type keeps it (RFC 3264
    /// §8.3.2), and another one gets a free payload type.
    func open(
        _ settled: Settled, ice: [SessionDescription.Attribute], direction: Direction
    ) -> [MediaDescription] {
        var media = settled.media(ice: ice, direction: direction)
        let line = media[settled.audioIndex]
        guard let own = try? AudioLine(line, in: settled.own) else { return media }
        var taken = Set(own.codecs.map(\.payloadType) + own.events.values + own.redundancy.values)
        let codecs = capabilities.offeredCodecs.map { codec in
            own.codecs.first { $0.name == codec.name }
                ?? .init(
                    name: codec.name, payloadType: Self.free(codec.payloadType, &taken), parameters: codec.parameters)
        }
        let events = capabilities.offeredEvents.reduce(into: [Int: UInt8]()) { events, offered in
            events[offered.key] = own.events[offered.key] ?? Self.free(offered.value, &taken)
        }
        media[settled.audioIndex] = audio(
            transport: line.transport, codecs: codecs, events: events, redundancy: own.redundancy,
            packetMilliseconds: capabilities.packetMilliseconds, sharesPort: settled.agreed.media.remoteControl == nil,
            wantsReports: own.reports != nil,
            keying: own.dtls == nil ? own.crypto.map(\.attribute) : dtlsKeying(.actpass), ice: ice,
            direction: direction)
        return media
    }

    /// The attributes of our line for our certificate and for the end that begins.
    func dtlsKeying(_ setup: DTLSSetup) -> [SessionDescription.Attribute] {
        capabilities.fingerprint.map { [$0.attribute, setup.attribute] } ?? []
    }

    private static func free(_ wanted: UInt8, _ taken: inout Set<UInt8>) -> UInt8 {
        let type = taken.contains(wanted) ? (96...127).first { !taken.contains($0) } ?? wanted : wanted
        taken.insert(type)
        return type
    }
}

extension MediaNegotiation.Settled {
    /// The agreed lines, unchanged except for the direction.
    func media(stating direction: Direction) -> [MediaDescription] {
        var media = own.media
        media[audioIndex].attributes = media[audioIndex].attributes.map { attribute in
            Direction(rawValue: attribute.name) == nil ? attribute : .init(direction.rawValue)
        }
        return media
    }

    /// The agreed lines again, with another direction. They keep only the active key line, and have our current
    /// candidates.
    func media(ice: [SessionDescription.Attribute], direction: Direction) -> [MediaDescription] {
        var media = own.media
        let kept = media[audioIndex].attributes.filter { attribute in
            if attribute.name == "crypto" {
                return attribute.value.flatMap(CryptoAttribute.init).map { $0.key == agreed.media.sdes?.sendKey }
                    ?? false
            }
            if attribute.name == "rtcp-mux" { return agreed.media.remoteControl == nil }
            return Direction(rawValue: attribute.name) == nil && !ICEDescription.names.contains(attribute.name)
        }
        // An answerer keeps the roles. An offerer that claims to begin would cause a new handshake (RFC 8842 §5.5).
        let open = kept.map { $0.name == "setup" ? DTLSSetup.actpass.attribute : $0 }
        media[audioIndex].attributes = open + ice + [.init(direction.rawValue)]
        return media
    }
}

/// The formats that the two ends send each other.
extension MediaNegotiation {
    typealias CodecPair = (sent: AudioLine.Codec, received: AudioLine.Codec)

    /// The codecs of both ends, in the far end's order. We send the first one. An answer lists its codecs in the order
    /// of preference for sending, and our answer names only one (RFC 3264 §6.1, §7).
    func codecs(own: AudioLine, theirs: AudioLine) -> [CodecPair] {
        theirs.codecs.compactMap { sent in
            own.codecs.first { $0.name == sent.name }.map { (sent: sent, received: $0) }
        }
    }

    /// The formats that the far end may send besides the first one. It may change among those that it kept of our
    /// description at any time (RFC 3264 §6.1). Some ends send with the numbers of their own description. So these
    /// count, too, unless we gave them another meaning.
    func otherFormats(_ pairs: [CodecPair], own: AudioLine) -> [NegotiatedMedia.Format] {
        var formats: [NegotiatedMedia.Format] = []
        var read = Set(pairs.prefix(1).map(\.received.payloadType))
        for pair in pairs where read.insert(pair.received.payloadType).inserted {
            formats.append(.init(pair.sent.name, payloadType: pair.received.payloadType))
        }
        var taken = own.payloadTypes
        for pair in pairs where taken.insert(pair.sent.payloadType).inserted {
            formats.append(.init(pair.sent.name, payloadType: pair.sent.payloadType))
        }
        return formats
    }

    /// The telephone events of both lines. We send those with the codec's clock, if both ends have them. The far end
    /// may send any that our description names, and some ends use the numbers of their own description.
    func events(with codec: AudioCodec, own: AudioLine, theirs: AudioLine) -> NegotiatedMedia.TelephoneEvents? {
        let rates = codec.eventRates.filter { own.events[$0] != nil && theirs.events[$0] != nil }
        guard let rate = rates.first, let send = theirs.events[rate], let receive = own.events[rate] else { return nil }
        let free = theirs.events.values.filter { !own.payloadTypes.contains($0) }
        let others = Set(own.events.values).union(free).subtracting([receive])
        return .init(
            sendPayloadType: send, receivePayloadType: receive, otherPayloadTypes: others.sorted(), clockRate: rate)
    }
}

extension AudioLine {
    /// All payload types with a meaning for us.
    fileprivate var payloadTypes: Set<UInt8> {
        Set(codecs.map(\.payloadType)).union(events.values).union(redundancy.values)
    }
}
