import SIPCore

extension LineMachine {
    /// How well the line knows the source of a message. A `friend` is the account's server, the far end of a call, or a
    /// host that still owes us a response.
    public func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        let talks = talks(with: source)
        return isListed(source.host) ? max(talks, .host) : talks
    }

    private func talks(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        let flows = routing.home + registration.living + sent.values.map(\.flow) + dialogFlows.values.flatMap(\.flows)
        let ends = flows.map(\.remote) + legs.values.compactMap(\.farEnd)
        return ends.reduce(.stranger) { known, end in
            max(known, end == source ? .friend : end.host == source.host ? .host : .stranger)
        }
    }

    func isListed(_ host: String) -> Bool {
        switch configuration.accepts {
        case .listed(let hosts): hosts.contains(host)
        case .anyone, .ownServerOnly: false
        }
    }
}

extension Leg {
    /// The address in the far end's Contact, if it is numeric. An unanswered caller could write any address there, so
    /// its Contact is not trusted, only the flow of its call.
    fileprivate var farEnd: Flow.Endpoint? {
        if case .offered = self { return nil }
        return dialog.flatMap { NextHop($0.nextHop) }.map { Flow.Endpoint($0.host, $0.port) }
    }
}
