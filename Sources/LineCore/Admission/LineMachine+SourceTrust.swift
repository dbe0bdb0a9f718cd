import SIPCore

extension LineMachine {
    /// How well the line knows where a message comes from: friends are the account's server, the far ends of calls, and
    /// whom we asked something.
    public func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        let talks = talks(with: source)
        return isListed(source.host) ? max(talks, .host) : talks
    }

    private func talks(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        let flows = routing.home + registration.living + sent.values.map(\.flow) + paths.values.flatMap(\.flows)
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
    /// Where its Contact says that its messages come from, as far as it is said in numbers. What a caller says whom nobody
    /// has answered makes nobody a friend; the flow of its call is in `paths`.
    fileprivate var farEnd: Flow.Endpoint? {
        if case .offered = self { return nil }
        return dialog.flatMap { NextHop($0.nextHop) }.map { Flow.Endpoint($0.host, $0.port) }
    }
}
