import Bench
import Control
import JSON
import Rig
import Testing

/// The phone and two telephones of one make, with transfers between them.
final class Threesome<Peer: PeerTelephone> {
    let ours: HostedPhone
    let first: Peer
    let second: Peer

    /// linphonec requests transfers to an address without a port, so the second, as the target, has the default one.
    private static var firstPort: UInt16 { 5_070 }

    init() throws {
        ours = try HostedPhone()
        first = try ours.peer("first", port: Self.firstPort)
        second = try ours.peer("second")
    }

    var secondAddress: String { ours.peerAddress }

    /// - Returns: The name of the call.
    @discardableResult
    func callFirst() throws -> JSONValue { try ours.call(first, at: "\(ours.peerAddress):\(Self.firstPort)") }

    /// Blind: the first is asked to call the second.
    func sendElsewhere() throws {
        try ours.phone.ask("transfer", ["to": .string(secondAddress)])
    }

    /// Attended: both are called, and asked to talk to each other.
    func bringTogether() throws {
        let call = try callFirst()
        try ours.phone.ask("consult", ["target": .string(secondAddress)])
        try second.answer()
        let other = try ours.answered()
        try ours.phone.ask("transfer", ["call": call, "toCall": other])
    }

    /// The two others talk, and the phone has no call.
    func expectTheyTalk(sourceLocation: SourceLocation = #_sourceLocation) throws {
        Conversation(
            first: (first.mouth, first.ear, ours.workplace.alice),
            second: (second.mouth, second.ear, ours.workplace.bob)
        ).expectUnderstood(sourceLocation: sourceLocation)
        let calls = try ours.phone.ask("getSnapshot")["calls"]?.array
        #expect(calls?.isEmpty == true, "\(calls ?? [])", sourceLocation: sourceLocation)
        try first.hangUp()
        try second.waitForEnd()
        ours.finish()
    }

    /// The phone talks to the second.
    func expectWeTalk(sourceLocation: SourceLocation = #_sourceLocation) throws {
        ours.converse(with: second)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere", sourceLocation: sourceLocation)
        ours.finish()
    }
}
