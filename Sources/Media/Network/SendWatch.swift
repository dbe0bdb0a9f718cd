import Base

/// Reports when the kernel has sent none of a call's packets for a second, and when it sends them again. A single
/// failure is not reported: a packet that does not fit into the kernel's buffer is lost like any other. Pure.
package struct SendWatch: Equatable, Sendable {
    package enum Change: Equatable, Sendable {
        /// Nothing is sent; the error number is the reason.
        case failing(Int32)
        case sending
    }

    private enum State: Equatable, Sendable {
        case sending
        case failing(since: Instant)
        case told
    }

    private static let tolerance = Duration.seconds(1)

    private var state = State.sending

    package init() {}

    /// - Parameter fault: the error number of the packet's failure; nil: the packet was sent.
    package mutating func packet(_ fault: Int32?, at now: Instant) -> Change? {
        switch (state, fault) {
        case (.sending, nil): return nil
        case (.failing, nil): state = .sending
        case (.told, nil):
            state = .sending
            return .sending
        case (.sending, _?): state = .failing(since: now)
        case (.failing(let since), let fault?) where now - since >= Self.tolerance:
            state = .told
            return .failing(fault)
        case (.failing, _?), (.told, _?): break
        }
        return nil
    }
}
