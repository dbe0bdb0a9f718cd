import Bench
import Control
import JSON
import Rig
import Testing

/// A phone on a separate host. Its direct line knows the host beside it; or that host is the server of its account,
/// with another protection.
final class HostedPhone {
    let workplace: Workplace
    let hosts: HostPair
    let phone: RigPhone

    /// - Parameters:
    /// - protection: The account's; nil: no account.
    /// - ice: Its ICE policy and servers.
    init(protection: String? = nil, ice: String = "answered", servers: [String] = []) throws {
        workplace = try Workplace()
        hosts = try HostPair()
        var settings = PhoneFolder.Settings(port: 5_060, firstMediaPort: 30_000)
        settings.address = hosts.first.address
        if protection == nil { settings.peers = [hosts.second.address] }
        settings.more = "calls: { follow_transfers: true }\n"
        let folder = try workplace.phoneFolder("phone", settings)
        if let protection {
            try folder.addAccount(
                program: Workplace.phone, label: "desk", user: "offhook", server: hosts.second.address,
                more: ["--no-register", "--no-password", "--protection", protection, "--ice", ice] + servers)
        }
        phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone, prefix: hosts.first.prefix)
    }

    /// The address of a peer called `bench`, and how it reaches the phone.
    var peerAddress: String { "sip:bench@\(hosts.second.address)" }
    var address: String { "sip:offhook@\(hosts.first.address)" }

    /// - Parameter address: Nil: the peer's.
    func dial(_ address: String? = nil) throws { try phone.ask("dial", ["target": .string(address ?? peerAddress)]) }

    /// A telephone of another make on the host beside it.
    func peer<Peer: PeerTelephone>(_ name: String = "peer", port: UInt16 = 5_060) throws -> Peer {
        try Peer(
            folder: "\(workplace.path)/\(name)-home", host: hosts.second, sound: try workplace.soundCard(name),
            port: port)
    }

    /// A baresip on the host beside it.
    /// - Parameters:
    /// - encryption: The source of its SRTP keys, by baresip's name for it.
    /// - doesICE: Whether it uses ICE for its calls.
    func baresip(_ encryption: String, doesICE: Bool = false) throws -> Baresip {
        try Baresip(
            folder: workplace.path + "/baresip", host: hosts.second, sound: try workplace.soundCard("peer"),
            encryption: encryption, doesICE: doesICE)
    }

    /// Calls a peer, which answers.
    /// - Returns: The name of the call.
    @discardableResult
    func call(_ peer: some PeerTelephone, at address: String? = nil) throws -> JSONValue {
        try dial(address)
        try peer.answer()
        return try answered()
    }

    /// Waits for an answer.
    /// - Returns: The name of the call.
    func answered() throws -> JSONValue { try #require(try phone.wait(for: "callAnswered").fields["call"]) }

    /// A person hears it ring and lifts the handset.
    func lift() throws {
        try phone.wait(for: "ringerChanged") { $0.fields["on"] == true }
        try phone.ask("liftHook")
    }

    /// A far end requests a transfer, and a person agrees.
    func agree() throws {
        try phone.wait(for: "transferRequested")
        try phone.ask("acceptTransfer")
    }

    func converse(with peer: some Speaker, sourceLocation: SourceLocation = #_sourceLocation) {
        Conversation(
            first: (phone.mouth, phone.ear, workplace.alice), second: (peer.mouth, peer.ear, workplace.bob)
        ).expectUnderstood(sourceLocation: sourceLocation)
    }

    func expectEnd(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let end = try phone.wait(for: "callEnded")
        #expect(end.fields["reason"]?.string == reason, sourceLocation: sourceLocation)
    }

    func finish() { #expect(phone.process.stop().exit == .status(0)) }
}
