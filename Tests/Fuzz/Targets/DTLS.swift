import Base
import Cryptography

/// The output of a handshake's far end, and an attacker's changes of a whole handshake.
func fuzzDTLS(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    let bytes = input.dropFirst()
    switch kind % 4 {
    case 0: deafen(.active, asksForCookie: false, bytes)
    case 1: deafen(.passive, asksForCookie: false, bytes)
    case 2: deafen(.passive, asksForCookie: true, bytes)
    default: meddle(bytes)
    }
}

/// A peer that cannot finish a handshake gets no keys, however often it starts one. A stranger is sent less than it
/// sent until it has proved its address.
private func deafen(_ role: DTLSChannel.Role, asksForCookie: Bool, _ bytes: ArraySlice<UInt8>) {
    let end = FuzzedEnd(role, Identities.one, expecting: Identities.other, asksForCookie: asksForCookie)
    end.start()
    var sent = end.takeDatagrams().reduce(0) { $0 + $1.count }
    precondition(role == .active || sent == 0, "the passive end begins nothing")
    if role == .passive { sent = 0 }
    var received = 0
    for datagram in datagrams(bytes) {
        received += datagram.count
        end.receive(datagram)
        sent += end.takeDatagrams().reduce(0) { $0 + $1.count }
    }
    precondition(end.keys == nil, "keys with an unproven peer")
    precondition(!asksForCookie || sent <= received, "more than the cookie was asked for")
}

/// Two bytes choose the place in the handshake where the others overwrite it, once. Afterwards both ends have the same
/// keys, or one of them has none.
private func meddle(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } % 4_096
    let changes = bytes.dropFirst(2)
    let client = FuzzedEnd(.active, Identities.one, expecting: Identities.other, asksForCookie: true)
    let server = FuzzedEnd(.passive, Identities.other, expecting: Identities.one, asksForCookie: true)
    client.start()
    while true {
        let (ours, theirs) = (client.takeDatagrams(), server.takeDatagrams())
        guard !ours.isEmpty || !theirs.isEmpty else { break }
        for datagram in ours { server.receive(written(changes, over: datagram, at: &place)) }
        for datagram in theirs { client.receive(written(changes, over: datagram, at: &place)) }
    }
    guard let first = client.keys, let second = server.keys else { return }
    precondition(first.profile == second.profile, "one protection at both ends")
    precondition(first.local == second.remote && first.remote == second.local, "the same keys at both ends")
}

/// One byte is a datagram's length, in sixteens.
func datagrams(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var rest = bytes
    var datagrams: [[UInt8]] = []
    while let length = rest.popFirst(), !rest.isEmpty {
        datagrams.append(Array(rest.prefix(16 * (1 + Int(length)))))
        rest = rest.dropFirst(datagrams[datagrams.count - 1].count)
    }
    return datagrams
}

/// One end, and its keys.
final class FuzzedEnd {
    private var channel: DTLSChannel
    private(set) var keys: SRTPKeys?

    init(_ role: DTLSChannel.Role, _ own: DTLSContext, expecting far: DTLSContext, asksForCookie: Bool) {
        channel = DTLSChannel(own, role, .init(fingerprints: [far.fingerprint], asksForCookie: asksForCookie))
    }

    func start() { take(channel.start()) }
    func receive(_ datagram: [UInt8]) { take(datagram.withUnsafeBytes { channel.receive($0) }) }
    func takeDatagrams() -> [[UInt8]] { channel.takeDatagrams() }

    private func take(_ events: [DTLSChannel.Event]) {
        for event in events {
            switch event {
            case .established(let session):
                precondition(keys == nil, "keys are agreed on once")
                keys = session.keys
            case .closed, .failed: precondition(!channel.isEstablished, "ended, and continues")
            }
        }
    }
}

/// Made again in each run.
enum Identities {
    static let one = make()
    static let other = make()

    private static func make() -> DTLSContext {
        do {
            return try DTLSContext(.make())
        } catch {
            preconditionFailure("a certificate of our own is one: \(error)")
        }
    }
}
