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
            formats.append(.init(pair.sent.name, pair.received.payloadType))
        }
        var taken = own.payloadTypes
        for pair in pairs where taken.insert(pair.sent.payloadType).inserted {
            formats.append(.init(pair.sent.name, pair.sent.payloadType))
        }
        return formats
    }

    /// The telephone events of both lines. We send those with the codec's clock, if both ends have them. The far end
    /// may send any that our description names, and some ends use the numbers of their own description.
    func events(with codec: AudioCodec, own: AudioLine, theirs: AudioLine) -> NegotiatedMedia.Events? {
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
