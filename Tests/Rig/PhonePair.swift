import Bench

/// Two phones on one host, loopback or another one, that know each other as servers; `alice` dials 102 for `bob`.
public final class PhonePair {
    public let workplace: Workplace
    public let alice: RigPhone
    public let bob: RigPhone
    public let ports: (alice: UInt16, bob: UInt16)

    /// - Parameters:
    /// - address: The host's own.
    /// - prefix: Words before a command that run it there.
    /// - protection: Of both accounts.
    /// - change: Changes of Alice's settings.
    public init(
        address: String = "127.0.0.1", prefix: [String] = [], protection: String = "mandatory",
        change: (inout PhoneFolder.Settings) -> Void = { _ in }
    ) throws {
        workplace = try Workplace()
        // Tests of one program run one after another: fixed ports, far from the demo's.
        ports = (26_060, 26_070)
        var settings = PhoneFolder.Settings(port: ports.alice, firstMediaPort: 26_100)
        var others = PhoneFolder.Settings(port: ports.bob, firstMediaPort: 26_300)
        (settings.address, others.address) = (address, address)
        change(&settings)
        let first = try workplace.phoneFolder("alice", settings)
        let second = try workplace.phoneFolder("bob", others)
        for (folder, user, far) in [(first, "101", ports.bob), (second, "102", ports.alice)] {
            try folder.addAccount(
                program: Workplace.phone, label: "desk", user: user, server: "\(address):\(far)",
                more: ["--no-register", "--no-password", "--protection", protection])
        }
        bob = try RigPhone(name: "bob", folder: second, program: Workplace.phone, prefix: prefix)
        alice = try RigPhone(name: "alice", folder: first, program: Workplace.phone, prefix: prefix)
        try alice.waitUntilReady()
        try bob.waitUntilReady()
    }

    /// Alice calls, Bob answers, both hear.
    public func establish() throws {
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        try alice.wait(for: "callAnswered")
        try bob.wait(for: "callAnswered")
        try alice.wait(for: "firstVoice")
        try bob.wait(for: "firstVoice")
    }
}
