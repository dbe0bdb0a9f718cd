import Cryptography
import Glibc

/// One end of an association, with its reports and output. A channel cannot be copied, and a test has to pass it
/// around.
final class DTLSEnd {
    private var channel: DTLSChannel
    private(set) var events: [DTLSChannel.Event] = []
    private(set) var sent: [[UInt8]] = []

    init(_ context: DTLSContext, _ role: DTLSChannel.Role, _ settings: DTLSChannel.Settings) {
        channel = DTLSChannel(context, role, settings)
    }

    var session: DTLSSession? {
        events.lazy.compactMap { if case .established(let session) = $0 { session } else { nil } }.first
    }

    var keys: SRTPKeys? { session?.keys }

    var failure: String? {
        events.lazy.compactMap { if case .failed(let error) = $0 { error.description } else { nil } }.first
    }

    var dropped: Int { channel.dropped }
    var timeLeft: Duration? { channel.timeLeft }

    func start() { events += channel.start() }
    func close() { channel.close() }
    func receive(_ datagram: [UInt8]) { events += unsafe datagram.withUnsafeBytes { unsafe channel.receive($0) } }

    func take() -> [[UInt8]] {
        let datagrams = channel.takeDatagrams()
        sent += datagrams
        return datagrams
    }

    /// Waits for a due repetition, if there is one, and sends it.
    func repeatWhatIsDue() {
        guard let left = channel.timeLeft else { return }
        if left > .zero { usleep(UInt32(left / .microseconds(1)) + 1) }
        events += channel.timedOut()
    }

    /// Carries datagrams to and fro until no more come and both ends are settled. A loss costs the time until its
    /// repetition, which OpenSSL measures by the machine's clock.
    ///
    /// - Parameter losing: the numbers of those that are lost, counted over both directions.
    static func run(_ active: DTLSEnd, _ passive: DTLSEnd, losing: Set<Int> = [], isDisordered: Bool = false) {
        var number = 0
        func carry(_ datagrams: [[UInt8]], to end: DTLSEnd) {
            for datagram in isDisordered ? datagrams.reversed() + datagrams : datagrams {
                defer { number += 1 }
                if !losing.contains(number) { end.receive(datagram) }
            }
        }
        active.start()
        for _ in 0..<400 {
            let (ours, theirs) = (active.take(), passive.take())
            carry(ours, to: passive)
            carry(theirs, to: active)
            guard ours.isEmpty, theirs.isEmpty else { continue }
            guard active.isUndecided || passive.isUndecided else { return }
            for end in [active, passive] where end.isUndecided || end.timeLeft != nil { end.repeatWhatIsDue() }
        }
    }

    private var isUndecided: Bool { keys == nil && failure == nil }
}
