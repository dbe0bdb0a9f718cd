import Base

/// Permissions and channels (RFC 8656 §9, §12), and the packets that pass through them.
extension TURNClient {
    enum Grant: Equatable, Sendable { case asked, granted, refused }

    struct Permission: Sendable {
        let address: IPAddress
        var grant = Grant.asked
        var renewAt: Instant?
    }

    struct Channel: Sendable {
        let peer: TransportAddress
        let number: UInt16
        var grant = Grant.asked
        var renewAt: Instant?
    }

    /// Without room, the least recently used address is dropped: a far end that roams leaves many behind.
    mutating func permit(_ address: IPAddress, at now: Instant, _ effects: inout [Effect]) {
        guard use(address) == nil else { return }
        guard address.family == family else {
            dropped += 1
            effects.append(.refused(address))
            return
        }
        if permissions.count == Self.peerLimit { forget(permissions.removeFirst().address) }
        permissions.append(Permission(address: address))
        ask(.permission(address), at: now, &effects)
    }

    /// Moves the address to the end of the table, which is in order of last use.
    /// - Returns: Its grant. Nil: it is not in the table.
    private mutating func use(_ address: IPAddress) -> Grant? {
        guard let index = permissions.lastIndex(where: { $0.address == address }) else { return nil }
        let permission = permissions.remove(at: index)
        permissions.append(permission)
        return permission.grant
    }

    private mutating func forget(_ address: IPAddress) {
        held.removeAll { $0.peer.address == address }
        transactions.removeAll { $0.purpose == .permission(address) }
    }

    mutating func permitted(_ address: IPAddress, at now: Instant, _ effects: inout [Effect]) {
        guard let index = permissions.firstIndex(where: { $0.address == address }) else { return }
        permissions[index].grant = .granted
        permissions[index].renewAt = now + Self.renewal
        let waiting = held.filter { $0.peer.address == address }
        held.removeAll { $0.peer.address == address }
        for packet in waiting { send(packet.data, to: packet.peer, at: now, &effects) }
    }

    /// - Parameter isFinal: Whether the server refused. After a timeout, the next packet asks again.
    mutating func refused(_ address: IPAddress, isFinal: Bool, _ effects: inout [Effect]) {
        held.removeAll { $0.peer.address == address }
        if isFinal, let index = permissions.firstIndex(where: { $0.address == address }) {
            permissions[index].grant = .refused
            permissions[index].renewAt = nil
        } else {
            permissions.removeAll { $0.address == address }
        }
        effects.append(.refused(address))
    }

    /// A number belongs to its peer as long as the allocation lives (RFC 8656 §12).
    mutating func bind(_ peer: TransportAddress, at now: Instant, _ effects: inout [Effect]) {
        if let channel = channels.first(where: { $0.peer == peer }) {
            if channel.grant == .granted { effects.append(.bound(peer, channel: channel.number)) }
            return
        }
        guard channels.count < Self.channelLimit, peer.address.family == family else {
            dropped += 1
            return
        }
        let number = ChannelData.numbers.lowerBound + UInt16(channels.count)
        channels.append(Channel(peer: peer, number: number))
        ask(.channel(peer, number), at: now, &effects)
    }

    mutating func bound(_ peer: TransportAddress, at now: Instant, _ effects: inout [Effect]) {
        guard let index = channels.firstIndex(where: { $0.peer == peer }) else { return }
        let isNew = channels[index].grant != .granted
        channels[index].grant = .granted
        channels[index].renewAt = now + Self.renewal
        if isNew { effects.append(.bound(peer, channel: channels[index].number)) }
    }

    /// The server has bound no channel. Packets to this peer get long headers, which need only a permission.
    mutating func unbound(_ peer: TransportAddress) {
        guard let index = channels.firstIndex(where: { $0.peer == peer }) else { return }
        channels[index].grant = .refused
        channels[index].renewAt = nil
    }

    mutating func renew(at now: Instant, _ effects: inout [Effect]) {
        for index in permissions.indices where permissions[index].renewAt.map({ $0 <= now }) ?? false {
            permissions[index].renewAt = nil
            ask(.permission(permissions[index].address), at: now, &effects)
        }
        for index in channels.indices where channels[index].renewAt.map({ $0 <= now }) ?? false {
            channels[index].renewAt = nil
            ask(.channel(channels[index].peer, channels[index].number), at: now, &effects)
        }
    }

    mutating func send(_ data: [UInt8], to peer: TransportAddress, at now: Instant, _ effects: inout [Effect]) {
        guard data.count <= STUNMessage.longestWritten else {
            dropped += 1
            return
        }
        considerDoubt(at: now, &effects)
        let grant = use(peer.address)
        if let channel = channels.first(where: { $0.peer == peer && $0.grant == .granted }) {
            let packet = ChannelData(channel: channel.number, data: data)
            effects.append(.transmit(packet.bytes(isPadded: isReliable)))
            return
        }
        switch grant {
        case .granted:
            var message = STUNMessage(
                .indication, id: .init(using: &generator), method: TURNMethod.send, hasFingerprint: false)
            message.attributes = [
                message.attribute(AttributeType.xorPeerAddress, peer), .init(AttributeType.data, data),
            ]
            effects.append(.transmit(message.bytes))
        case .refused: dropped += 1
        case .asked: hold(data, for: peer)
        case nil:
            permit(peer.address, at: now, &effects)
            if permissions.contains(where: { $0.address == peer.address }) { hold(data, for: peer) }
        }
    }

    /// Sends a refresh if the server may have lost the allocation.
    private mutating func considerDoubt(at now: Instant, _ effects: inout [Effect]) {
        guard let unheardSince else {
            self.unheardSince = now
            return
        }
        let isRested = doubtedAt.map { $0 + Self.doubtPause <= now } ?? true
        guard unheardSince + Self.doubt <= now, isRested else { return }
        doubtedAt = now
        ask(.refresh, at: now, &effects)
    }

    private mutating func hold(_ data: [UInt8], for peer: TransportAddress) {
        guard held.count < Self.heldLimit else {
            dropped += 1
            return
        }
        held.append((peer, data))
    }

    // MARK: Packets from peers

    mutating func receivedData(_ message: STUNMessage, _ effects: inout [Effect]) {
        guard let peer = message.address(AttributeType.xorPeerAddress), let data = message.value(AttributeType.data),
            permissions.contains(where: { $0.address == peer.address && $0.grant == .granted })
        else {
            dropped += 1
            return
        }
        (unheardSince, doubtedAt) = (nil, nil)
        effects.append(.received(data, from: peer))
    }

    mutating func receivedChannelData(_ bytes: [UInt8], _ effects: inout [Effect]) {
        guard let packet = ChannelData(bytes),
            let channel = channels.first(where: { $0.number == packet.channel && $0.grant != .refused })
        else {
            dropped += 1
            return
        }
        (unheardSince, doubtedAt) = (nil, nil)
        effects.append(.received(packet.data, from: channel.peer))
    }
}
