import Base
import Bench
import Foundation
import HostStalls
import Rig
import SIPCore
import Testing

/// Facts that a phone learned about its server, across restarts of the program.
@Suite(.serialized, .stallsForgiven) struct ServerTrustTests {
    private static let strong = "Digest realm=\"example\", nonce=\"n1\", algorithm=SHA-256, qop=\"auth\""
    private static let weak = "Digest realm=\"example\", nonce=\"n2\", algorithm=MD5"
    private let workplace: Workplace
    private let folder: PhoneFolder
    private let settings = PhoneFolder.Settings(port: 26_760, firstMediaPort: 26_800)
    /// The server, and its impostor.
    private let server: DatagramPeer

    init() throws {
        (workplace, server) = (try Workplace(), try DatagramPeer())
        folder = try workplace.phoneFolder("phone", settings)
        try TextFile.write("sesame", to: workplace.path + "/password")
        try folder.addAccount(
            program: Workplace.phone, label: "front desk", user: "101", server: "127.0.0.1:\(server.port)",
            more: ["--password-file", workplace.path + "/password"])
    }

    private func offhook(_ words: String...) throws -> Command {
        try Command(words + ["--config", folder.configuration], in: workplace)
    }

    /// Starts the phone, and answers its first REGISTER by a challenge.
    private func start(challengedBy text: String) throws -> RigPhone {
        _ = server.heardSoFar()
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        var challenge = try server.request(.register).response(.unauthorized, tag: "server")
        challenge.headers[.wwwAuthenticate] = text
        try server.say(challenge, to: settings.port)
        return phone
    }

    private func accept(_ phone: RigPhone) throws -> String? {
        let request = try server.request(.register)
        var response = request.response(.ok, tag: "server")
        response.headers[.contact] = request.headers[.contact]
        try server.say(response, to: settings.port)
        try phone.waitUntilLine(is: ["registered"])
        return request.headers[.authorization]
    }

    @Test(.limit(minutesEachTime: 2)) func weakerChallengeIsNotAnsweredAfterRestart() throws {
        #expect(try offhook("account", "trust").output == "front desk  has learned nothing yet\n")
        let first = try start(challengedBy: Self.strong)
        #expect(try accept(first)?.contains("algorithm=SHA-256") == true)
        #expect(first.process.stop().exit == .status(0))
        let trust = try offhook("account", "trust").output
        #expect(trust.contains("password than SHA-2 with a client nonce, in the realm \"example\""), "\(trust)")

        let second = try start(challengedBy: Self.weak)
        try second.waitUntilLine(is: ["failed"])
        #expect(second.process.stop().exit == .status(0))
        let requests = try server.heardSoFar().map { try SIPMessage($0.span) }
        #expect(
            requests.allSatisfy { message in
                if case .request(let request) = message { !request.headers.contains(.authorization) } else { false }
            })
        let log = try String(contentsOfFile: folder.log, encoding: .utf8)
        let line = log.split(separator: "\n").first { $0.contains("a challenge was not answered") }
        #expect(line?.contains("front desk") == true && line?.contains("SHA-2 with a client nonce") == true, "\(log)")
        #expect(line?.contains("`offhook account forget-trust 'front desk'`") == true, "\(log)")

        #expect(try offhook("account", "forget-trust", "front desk").exit == .status(0))
        #expect(try offhook("account", "trust").output == "front desk  has learned nothing yet\n")
        let third = try start(challengedBy: Self.weak)
        #expect(try accept(third)?.contains("algorithm=MD5") == true)
        #expect(third.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func accountTrialKeepsLearnedLevel() throws {
        let first = try start(challengedBy: Self.strong)
        _ = try accept(first)
        #expect(first.process.stop().exit == .status(0))
        #expect(try offhook("account", "forget-trust", "nobody").failed)

        _ = server.heardSoFar()
        let log = workplace.path + "/doctor"
        let doctor = try ChildProcess([Workplace.phone, "doctor", "--config", folder.configuration], log: log)
        let register = try server.request(.register)
        var challenge = register.response(.unauthorized, tag: "server")
        challenge.headers[.wwwAuthenticate] = Self.weak
        try server.say(challenge, to: try #require(register.headers.vias.first?.port))
        #expect(doctor.wait(upTo: .seconds(30)) == .status(1))
        let said = try String(contentsOfFile: log, encoding: .utf8)
        #expect(said.contains("forget-trust 'front desk'"), "\(said)")
    }
}
