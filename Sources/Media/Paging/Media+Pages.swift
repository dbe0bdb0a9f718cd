import Base
import Glibc
import PhoneCore
import Synchronization

extension Media {
    /// Opens the sockets of all groups. A group whose socket cannot be opened is left out: calls do not need pages.
    static func pages(_ settings: MediaSettings, _ notice: @Sendable (MediaNotice) -> Void) -> [PageMedia] {
        var pages: [PageMedia] = []
        for (index, group) in settings.pages.enumerated() {
            do throws(MediaError) {
                pages.append(try PageMedia(UInt8(index + 1), group, settings: settings))
            } catch {
                notice(.groupUnheard(group.address, port: group.port, reason: error.description))
            }
        }
        return pages
    }

    /// Joins all groups.
    /// - Parameter addresses: this phone's addresses; empty: they are not known yet. If voice is bound to one address,
    ///   pages use that one.
    func join(_ addresses: [String], _ pages: [PageMedia]) {
        let own = pageAddresses(addresses)
        for page in pages {
            do throws(MediaError) {
                try page.socket.join(own)
            } catch {
                let group = settings.pages[Int(page.number) - 1]
                notice(.groupUnheard(group.address, port: group.port, reason: error.description))
            }
        }
    }

    /// The addresses of the interface for pages. Empty: the kernel chooses one.
    func pageAddresses(_ addresses: [String]) -> [String] {
        let bound = settings.bindAddress
        return bound == "0.0.0.0" || bound == "::" ? addresses : [bound]
    }

    func hear(_ number: UInt8, _ threads: MediaThreads) -> [MediaEvent] {
        guard let page = threads.pages.first(where: { $0.number == number }) else { return [] }
        return tell(threads.commands, .page(Borrowed(page)))
    }
}

/// Pages that this phone sends. To Media a page is a call that only sends, in clear, to a group. Nobody answers it.
extension Media {
    /// The page that this phone sends now.
    struct SentPage: Sendable {
        let group: UInt8
        let media: CallMedia
    }

    func send(
        _ wanted: PageSending?, _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        if let page = state.sentPage, page.group == wanted?.group {
            page.media.gauges.microphoneIsOpen.store(wanted?.isOpen ?? false, ordering: .relaxed)
            return []
        }
        if let page = state.sentPage.take() { end(page, threads) }
        guard let wanted else { return [] }
        do throws(MediaError) {
            try begin(wanted, threads, &state)
            return []
        } catch {
            return [.pageUnsent(wanted.group, error.description)]
        }
    }

    private func begin(
        _ wanted: PageSending, _ threads: MediaThreads, _ state: inout State
    ) throws(MediaError) {
        let index = Int(wanted.group) - 1
        guard settings.pages.indices.contains(index), let sending = settings.pages[index].sending else {
            throw .badPlan("the configuration allows no pages to group \(wanted.group)")
        }
        let group = settings.pages[index]
        let sockets = try MediaSockets(
            address: ownAddress(towards: group), ports: settings.ports, start: .random(in: 0...UInt16.max))
        try sockets.send(hops: sending.hops, from: pageAddresses(state.addresses))
        let (media, negotiated) = try make(
            .page(wanted.group), Self.negotiated(of: group, sending),
            LocalEndpoint(sockets: sockets, source: newSource()),
            isReported: false, &state)
        media.gauges.microphoneIsOpen.store(wanted.isOpen, ordering: .relaxed)
        // The phone must not take its own page for another phone's.
        threads.pages.first { $0.number == wanted.group }?.ownSource.store(media.source, ordering: .relaxed)
        registry.enter(media, negotiated)
        let page = Borrowed(media)
        guard threads.commands.send(.call(.add(page))), threads.commands.send(.call(.activate(page))) else {
            // The threads may already have the page, so it is kept until they stop.
            throw .stalled
        }
        state.sentPage = SentPage(group: wanted.group, media: media)
    }

    private func end(_ page: SentPage, _ threads: MediaThreads) {
        page.media.gauges.microphoneIsOpen.store(false, ordering: .relaxed)
        registry.release(page.media.handle)
        if !threads.commands.send(.call(.drop(Borrowed(page.media)))) { counters.messagesLost.count() }
    }

    /// The source address for pages to the group: voice's address, if the group has the same address family.
    private func ownAddress(towards group: MediaSettings.PageGroup) -> String {
        let isIPv6 = IPAddress(group.address)?.unmapped.isVersion6 ?? false
        let bound = settings.bindAddress
        return IPAddress(bound)?.unmapped.isVersion6 == isIPv6 ? bound : isIPv6 ? "::" : "0.0.0.0"
    }

    private static func negotiated(
        of group: MediaSettings.PageGroup, _ sending: MediaSettings.PageGroup.Sending
    ) -> NegotiatedMedia {
        NegotiatedMedia(
            remote: MediaAddress(host: group.address, port: group.port),
            codec: .init(
                sending.codec, sendPayloadType: sending.payloadType, receivePayloadType: sending.payloadType,
                packetMilliseconds: 20, farEndUsesFEC: false),
            sends: true, receives: false)
    }
}

extension MediaSockets {
    /// Lets the voice socket send to groups.
    /// - Parameters:
    ///   - hops: The packets' time to live.
    ///   - addresses: This phone's addresses: pages leave through the interface that has one of them. Empty: the kernel
    ///     chooses the interface.
    func send(hops: UInt8, from addresses: [String]) throws(MediaError) {
        let wanted = addresses.compactMap { IPAddress($0)?.unmapped }
        let interface = wanted.isEmpty ? 0 : try PageSocket.interface(of: wanted)
        let isSet: Bool
        var hops = Int32(hops)
        if isIPv6 {
            var index = interface
            isSet =
                set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, &hops)
                && set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index)
        } else {
            var request = ip_mreqn(imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: interface)
            isSet =
                set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops)
                && set(Int32(IPPROTO_IP), IP_MULTICAST_IF, &request)
        }
        guard isSet else { throw .system("setsockopt", errno) }
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: inout Value) -> Bool {
        unsafe setsockopt(voice, level, option, &value, socklen_t(MemoryLayout<Value>.size)) == 0
    }
}
