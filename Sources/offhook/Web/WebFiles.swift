import Base
import Cryptography
import Glibc
import YAML

/// The changes of the files that open the page: the section `control.http`, and a certificate of the phone's own.
struct WebFiles {
    let configuration: FileChange
    let listening: WebListening
    let names: WebNames
    /// Beside the configuration; nil: the page needs no certificate, or has one of the person's own.
    private let own: OwnCertificate?
    private let settings: Settings

    /// - Parameters:
    ///   - listening: Nil: the configured address, else every address of the machine.
    ///   - renews: Whether to make a new certificate in place of the phone's own.
    init(
        _ file: FileChange, found: SetupFindings, listening wanted: WebListening?, renews: Bool = false
    ) throws {
        let present = try Settings(file.after, path: file.path).configuration.control.http
        guard let listening = wanted ?? present.flatMap(WebListening.init) ?? WebListening(WebListening.usual) else {
            throw CommandError("control.http.address: not numeric")
        }
        self.listening = listening
        names = try WebNames.here(listening)
        let certificate = OwnCertificate(beside: found, for: names, renews: renews)
        let isOwn = present?.certificate.map { $0 == certificate.certificateName } ?? !listening.isHere
        own = isOwn ? certificate : nil
        var text = ConfigurationText(file.after)
        try Self.set(listening, names, present, own, in: &text)
        configuration = FileChange(path: file.path, before: file.before, after: text.text)
        settings = try Settings(configuration.after, path: file.path)
    }

    var isNeeded: Bool { configuration.isNeeded || own?.isFresh == true }

    /// What is made besides the configuration, for people; nil: nothing.
    var addition: String? { own?.addition }

    /// For people, before anything is written.
    var description: String { (configuration.diff + [addition].compactMap(\.self)).joined(separator: "\n") }

    /// - Returns: The written files, for people.
    func writeCertificate() throws -> [String] { try own?.write() ?? [] }

    /// - Returns: The written files, for people.
    func write() throws -> [String] {
        try writeCertificate() + (configuration.isNeeded ? configuration.write() : [])
    }

    /// The page as the files describe it.
    var page: WebPage { WebPage(settings, listening, names) }

    /// Writes only what differs, so that a person's own keys stay.
    private static func set(
        _ listening: WebListening, _ names: WebNames, _ present: HTTPSection?, _ own: OwnCertificate?,
        in text: inout ConfigurationText
    ) throws {
        let path = ["control", "http"]
        let hosts = "[" + names.hosts.map(YAMLText.scalar).joined(separator: ", ") + "]"
        guard let present else {
            var entries = ["address: \(YAMLText.scalar(listening.address.text))", "port: \(listening.port)"]
            if let own {
                entries += ["certificate: \(own.certificateName)", "key: \(own.keyName)"]
                if !names.hosts.isEmpty { entries.append("hosts: \(hosts)") }
            }
            return try text.set(path, to: "{\(entries.joined(separator: ", "))}")
        }
        if present.address != listening.address.text {
            try text.set(path + ["address"], to: YAMLText.scalar(listening.address.text))
        }
        if present.port != listening.port { try text.set(path + ["port"], to: "\(listening.port)") }
        guard let own, present.certificate == nil else { return }
        try text.set(path + ["certificate"], to: own.certificateName)
        try text.set(path + ["key"], to: own.keyName)
        if present.hosts.isEmpty, !names.hosts.isEmpty { try text.set(path + ["hosts"], to: hosts) }
    }
}

/// The phone's own certificate and its key, in two files beside the configuration.
struct OwnCertificate {
    let certificateName: String
    let keyName: String
    /// Whether `write` makes a new one. Otherwise both files stay, so that nobody has to compare fingerprints again.
    let isFresh: Bool
    private let folder: String
    private let isSystem: Bool
    private let names: WebNames

    /// - Parameters:
    ///   - found: Names the configuration.
    ///   - renews: Whether to replace a certificate that exists.
    init(beside found: SetupFindings, for names: WebNames, renews: Bool) {
        let name = "web" + (found.instance.map { "@\($0)" } ?? "")
        (certificateName, keyName) = (name + ".crt", name + ".key")
        (folder, isSystem, self.names) = (found.path.folder, found.isSystem, names)
        let (certificate, key) = (folder + certificateName, folder + keyName)
        isFresh = unsafe renews || access(certificate, F_OK) != 0 || access(key, F_OK) != 0
    }

    /// For people; nil: there is nothing to make.
    var addition: String? {
        guard isFresh else { return nil }
        let all = names.hosts + names.addresses.map(\.text)
        return "new certificate \(folder + certificateName), signed by itself, for \(all.joined(separator: ", "))"
    }

    /// Makes the certificate and writes both files, the key first. Only the phone's user can read the key; that of a
    /// service can by its group.
    /// - Returns: The written files, for people.
    func write() throws -> [String] {
        guard isFresh else { return [] }
        let made = try SelfSignedCertificate.make(
            name: names.hosts.first ?? names.link, hosts: names.hosts, addresses: names.addresses)
        var (mode, owner): (mode_t, (uid_t, gid_t)?) = (0o600, nil)
        if isSystem, geteuid() == 0 {
            guard let user = UserEntry(SetupPlan.serviceUser) else {
                throw CommandError("there is no user \(SetupPlan.serviceUser): run systemd-sysusers (see README.md)")
            }
            (mode, owner) = (0o640, (0, user.group))
        }
        let (certificate, key) = (folder + certificateName, folder + keyName)
        try FileChange.makeFolder(key.openedFolder)
        try FileChange.replace(key, String(decoding: made.keyPEM, as: UTF8.self), mode, owner)
        try FileChange.replace(certificate, String(decoding: made.certificatePEM, as: UTF8.self), 0o644, nil)
        return ["\(certificate), \(key): created"]
    }
}
