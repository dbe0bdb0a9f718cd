import Base
import Bench
import HostStalls
import PhoneCore
import Rig
import SIPCore
import Testing
import Vault

/// A phone that starts again works for the organisation that its vault names.
@Suite(.serialized, .stallsForgiven) struct RestartedOrganisationTests {
    private let workplace: Workplace
    private let folder: PhoneFolder
    private let settings = PhoneFolder.Settings(port: 27_960, firstMediaPort: 28_000)
    private let server: DatagramPeer

    init() throws {
        (workplace, server) = (try Workplace(), try DatagramPeer())
        folder = try workplace.phoneFolder("phone", settings)
        try TextFile.write("configured", to: workplace.path + "/password")
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "101", server: "127.0.0.1:\(server.port)",
            more: ["--password-file", workplace.path + "/password"])
    }

    /// Changes the vault while no phone runs.
    private func apply(_ effects: [VaultEffect]) throws {
        let key = try VaultKey.find(keyFile: folder.path + "/vault.key", credentialsDirectory: nil)
        var file = try VaultFile.open(folder.path + "/vault", key: key)
        try file.apply(effects)
    }

    private static let context = OrganisationContext(
        account: AccountID(1), organisation: Organisation(id: OrganisationID("17"), name: "Engines"),
        credentials: AccountCredentials(
            user: "ada-17", password: Redacted("secret-17"), callerName: "Ada Lovelace",
            callerNumber: "+442079460017"))

    /// Starts the phone, lets the server challenge its registration, and returns the second REGISTER.
    private func registration() throws -> SIPRequest {
        _ = server.heardSoFar()
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        defer { _ = phone.process.stop() }
        var challenge = try server.request(.register).response(.unauthorized, tag: "server")
        challenge.headers[.wwwAuthenticate] = "Digest realm=\"example\", nonce=\"n1\", algorithm=MD5"
        try server.say(challenge, to: settings.port)
        return try server.request(.register)
    }

    @Test(.limit(minutesEachTime: 2)) func contextOfTheVaultRegisters() throws {
        #expect(try registration().headers[.authorization]?.contains("username=\"101\"") == true)
        try apply([.keepContext(Self.context, ticket: 1)])
        let request = try registration()
        #expect(request.headers[.authorization]?.contains("username=\"ada-17\"") == true)
        #expect(request.headers[.to]?.contains("sip:ada-17@") == true)
        #expect(request.headers[.from]?.contains("Ada Lovelace") == true)
        // A change of organisation that a power cut interrupted does not count.
        var other = Self.context
        other.credentials.user = "ada-42"
        try apply([.tryContext(other, ticket: 2)])
        #expect(try registration().headers[.authorization]?.contains("username=\"ada-17\"") == true)
        // After a sign-out the account is as it was configured.
        try apply([.forgetSignIn])
        #expect(try registration().headers[.authorization]?.contains("username=\"101\"") == true)
    }
}
