import Base
import Bench
import Foundation
import JSON
import Rig
import Testing

/// A PBX on one of two hosts, and telephones of its users on the other.
final class PBXScene {
    /// A telephone's connection to the server and its account options.
    struct Manner: Sendable {
        var transport = "udp"
        var protection = "off"
        var ice = "answered"
        /// Whether it speaks Verto, to FreeSWITCH.
        var isVerto = false

        static let verto = Manner(transport: "ws", protection: "dtls", ice: "always", isVerto: true)

        /// - Parameter host: The server's address.
        func options(at host: String) -> [String] {
            let kind = isVerto ? ["--kind", "verto", "--allow-clear-password", "--domain", host] : []
            return kind + ["--register", "--transport", transport, "--protection", protection, "--ice", ice]
        }

        /// Options that fit a server with this protection.
        static func fitting(_ protection: PBXProtection, transport: String = "udp") -> Manner {
            switch protection {
            case .clear: Manner(transport: transport)
            case .sdes: Manner(transport: transport, protection: "mandatory")
            case .dtls: Manner(transport: transport, protection: "dtls")
            case .webrtc, .twoPorts: Manner(transport: transport, protection: "dtls", ice: "always")
            }
        }
    }

    let workplace: Workplace
    /// Nil: the server is on a host that the test made.
    private let pair: HostPair?
    let server: any PBXServer
    private let host: HostPair.Host
    private let authority: TestAuthority
    private var phones: [RigPhone] = []
    private var isKept = false

    /// - Parameter host: The server's. Nil: it is the second of a pair, and telephones are on the first.
    init(_ pbx: PBX, _ protection: PBXProtection = .clear, server host: HostPair.Host? = nil) throws {
        workplace = try Workplace()
        pair = host == nil ? try HostPair() : nil
        try pair?.waitUntilUp()
        self.host = try #require(host ?? pair?.second)
        authority = try TestAuthority(folder: workplace.path + "/authority")
            .certifying(self.host.address, in: workplace.path + "/server")
        server = try pbx.start(
            PBXSetup(
                folder: workplace.path + "/pbx", host: self.host, protection: protection, authority: authority,
                sound: workplace.path + "/alice.wav"))
    }

    var hosts: HostPair {
        get throws { try #require(pair) }
    }

    /// A registered telephone of a user.
    /// - Parameters:
    /// - home: Its host. Nil: the first of the pair.
    /// - address: Its listening address. Nil: its host's address.
    /// - more: Lines to add to its configuration.
    func phone(
        _ user: String, _ manner: Manner = Manner(), on home: HostPair.Host? = nil, address: String? = nil,
        asksForMessages: Bool = false, more: String = ""
    ) throws -> RigPhone {
        let home = try #require(home ?? pair?.first)
        let place = UInt16(user.suffix(1)) ?? 0
        var settings = PhoneFolder.Settings(port: 5_060 + 10 * place, firstMediaPort: 30_000 + 200 * place)
        settings.address = address ?? home.address
        settings.authorities = authority.authorities
        settings.codecs = ["g722", "pcma", "opus"]
        if asksForMessages { settings.asksForMessages = ["desk"] }
        settings.more = more
        let folder = try workplace.phoneFolder("phone-\(user)", settings)
        let secret = folder.path + "/password"
        try TextFile.write(PBXSetup.password(of: user), to: secret)
        let server = manner.isVerto ? "\(host.address):\(FreeSWITCH.vertoPort)" : host.address
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: user, server: server,
            more: manner.options(at: host.address) + ["--password-file", secret])
        return try start("phone-\(user)", folder, on: home)
    }

    private func start(_ name: String, _ folder: PhoneFolder, on home: HostPair.Host) throws -> RigPhone {
        let phone = try RigPhone(name: name, folder: folder, program: Workplace.phone, prefix: home.prefix)
        phones.append(phone)
        try phone.waitUntilLine(is: ["registered"])
        return phone
    }

    /// The telephone loses its power and starts again: it is registered within its first attempts.
    func powerCycle(_ phone: RigPhone) throws {
        phones.removeAll { $0 === phone }
        kill(phone.process.identifier, SIGKILL)
        _ = phone.process.wait(upTo: .seconds(5))
        _ = try start(phone.name, phone.folder, on: try #require(pair?.first))
    }

    /// How many of the telephone's REGISTERs the server has accepted.
    func registrations(of phone: RigPhone) throws -> Int {
        try phone.signals().count { signal in
            let text = String(decoding: signal.message, as: UTF8.self)
            return signal.direction == .received && text.hasPrefix("SIP/2.0 200 ") && text.contains(" REGISTER\r\n")
        }
    }

    /// A restarted server calls the old contact until the telephone has registered again.
    func waitForRegistration(of phone: RigPhone, after count: Int) throws {
        let end = MonotonicTime.now + .seconds(60)
        while try registrations(of: phone) <= count {
            try #require(MonotonicTime.now < end, "\(phone.name) does not register again")
            MonotonicTime.sleep(.milliseconds(100))
        }
    }

    /// The first calls the second's number, which answers.
    /// - Returns: The names of the call at both.
    @discardableResult
    func connect(_ caller: RigPhone, _ callee: RigPhone, at number: String) throws -> (JSONValue, JSONValue) {
        try caller.ask("dial", ["target": .string(number)])
        try callee.wait(for: "incomingCall", upTo: .seconds(10))
        try callee.ask("answer")
        let far = try #require(try callee.wait(for: "callAnswered").fields["call"])
        let own = try #require(try caller.wait(for: "callAnswered").fields["call"])
        return (own, far)
    }

    /// Both hear each other. The server may transcode.
    func converse(_ first: RigPhone, _ second: RigPhone, sourceLocation: SourceLocation = #_sourceLocation) {
        Conversation(
            first: (first.mouth, first.ear, workplace.alice), second: (second.mouth, second.ear, workplace.bob),
            isTranscoded: true
        ).expectUnderstood(sourceLocation: sourceLocation)
    }

    /// The telephone's call has this number and name, within a moment. Nil: any name, or none.
    func expect(
        _ phone: RigPhone, showsNumber number: String, name: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect("\(number) \(name ?? "") at \(phone.name)", sourceLocation: sourceLocation) {
            let call = try phone.firstCall()
            let shown = (call?["number"]?.string ?? "none", call?["name"]?.string ?? "none")
            return (shown.0 == number && (name ?? shown.1) == shown.1, "\(shown)")
        }
    }

    /// The lamp of the telephone's first speed dial shows this, within a moment.
    func expectLamp(_ phone: RigPhone, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect("lamp \(expected)", sourceLocation: sourceLocation) {
            let lamp = try phone.ask("getSnapshot")["lamps"]?["speed-1"]?.string ?? "none"
            return (lamp == expected, lamp)
        }
    }

    private func expect(
        _ what: String, sourceLocation: SourceLocation, _ look: () throws -> (isSo: Bool, seen: String)
    ) throws {
        let end = MonotonicTime.now + .seconds(5)
        var found = try look()
        while !found.isSo, MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(50))
            found = try look()
        }
        #expect(found.isSo, "\(what), but it is \(found.seen)", sourceLocation: sourceLocation)
    }

    /// A scene that was not finished has failed, and its wire shows why.
    deinit { keepWire() }

    func finish() {
        keepWire()
        for phone in phones { #expect(phone.process.stop().exit == .status(0)) }
        server.stop()
    }

    /// `OFFHOOK_PBX_WIRE` names a folder that gets the messages of each telephone and the log of the server.
    private func keepWire() {
        guard !isKept, let folder = ProcessInfo.processInfo.environment["OFFHOOK_PBX_WIRE"] else { return }
        isKept = true
        let test = Test.current?.name.prefix { $0 != "(" } ?? "test"
        let scene = "\(folder)/\(test)-\(workplace.path.split(separator: "/").last ?? "")"
        #expect(throws: Never.self) { try TextFile.write(server.said, to: scene + "-server.txt") }
        for phone in phones {
            let messages = (try? phone.signals()) ?? []
            let text = messages.map { signal in
                let mark = signal.direction == .sent ? ">>>" : "<<<"
                return "\(mark) \(signal.transport)\n" + String(decoding: signal.message, as: UTF8.self)
            }
            #expect(throws: Never.self) {
                try TextFile.write(text.joined(separator: "\n"), to: "\(scene)-\(phone.name).txt")
            }
        }
    }
}
