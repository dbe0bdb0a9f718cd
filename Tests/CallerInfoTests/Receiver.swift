import Base
import CallerInfo
import Bench
import Foundation
import PhoneCore
import Rig
import Synchronization

/// The phone's side of a channel: it collects events and reports, and settles each event at once, or when the test does.
final class Receiver: Sendable {
    private struct State {
        var events: [CallerInfoEvent] = []
        var reports: [CallerInfoReport] = []
        var settlesAtOnce = true
        var channel: CallerInfoChannel?
    }

    struct Silence: Error, CustomStringConvertible { let description: String }

    private let state = Mutex(State())

    init(settlesAtOnce: Bool = true) { state.withLock { $0.settlesAtOnce = settlesAtOnce } }

    var events: [CallerInfoEvent] { state.withLock { $0.events } }
    var reports: [CallerInfoReport] { state.withLock { $0.reports } }

    /// The numbers of all callers so far.
    var numbers: [String] {
        events.map { event in
            switch event {
            case .incoming(let info), .ended(let info): info.number
            case .invalid(let why), .refused(let why): why
            }
        }
    }

    func open(_ settings: BrokerSettings) throws -> CallerInfoChannel {
        let channel = CallerInfoChannel(
            settings, post: { [self] in take($0) },
            report: { [self] report in state.withLock { $0.reports.append(report) } })
        state.withLock { $0.channel = channel }
        try channel.start()
        return channel
    }

    private func take(_ event: CallerInfoEvent) {
        let channel = state.withLock { state in
            state.events.append(event)
            return state.settlesAtOnce ? state.channel : nil
        }
        if let ticket = event.ticket { channel?.settle(ticket) }
    }

    func wait(_ what: String, upTo limit: Duration = .seconds(8), until isTrue: () -> Bool) throws {
        let end = MonotonicTime.now + limit
        while !isTrue() {
            guard MonotonicTime.now < end else { throw Silence(description: "\(what) in vain; reports: \(reports)") }
            MonotonicTime.sleep(.milliseconds(2))
        }
    }

    /// Waits for a failure whose reason has this text.
    func waitForFailure(_ text: String) throws {
        try wait("waited for \"\(text)\"") { reports.contains { $0.sentence.contains(text) } }
    }
}

extension CallerInfoChannel {
    func waitUntilConnected(_ receiver: Receiver, times: Int = 1) throws {
        try receiver.wait("waited for a connection") {
            // Shortens the pause after a failure.
            if times > 1, !statistics.isConnected { networkStirred() }
            return statistics.isConnected && statistics.connections >= times
        }
    }
}

/// A message as backends send it.
func incoming(_ number: String, id: String? = nil, age: Int = 0, more: String = "") -> String {
    let time = Int(Date().timeIntervalSince1970) - age
    let id = id.map { #""call_id":"\#($0)","# } ?? ""
    return #"{"type":"incoming_call",\#(id)"caller_number":"\#(number)","timestamp":"\#(time)"\#(more)}"#
}

extension CallerInfoEvent {
    var ticket: UInt32? {
        switch self {
        case .incoming(let info), .ended(let info): info.ticket
        case .invalid, .refused: nil
        }
    }
}
