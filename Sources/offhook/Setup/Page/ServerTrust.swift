import Base
import Glibc
import Lines

/// What an account's server is known by besides what the configuration says, as a page tells it.
struct ServerTrust: Sendable {
    /// The one certificate that the server may show.
    let pin: Fingerprint?
    /// Who may have signed the servers' certificates: a PEM file, absolute or beside the configuration.
    let authorities: String?

    /// - Throws: When it could not stand in the configuration, or the file is none that may be read without waiting.
    init(pin: String?, authorities: String?, beside configuration: String) throws(SetupRefusal) {
        self.pin = try pin.map { text throws(SetupRefusal) in
            guard let pin = Fingerprint(text) else {
                throw SetupRefusal("pin: expected the SHA-256 of a certificate, 64 hexadecimal digits")
            }
            return pin
        }
        self.authorities = authorities
        if let authorities { try Self.check(authorities, beside: configuration) }
    }

    private static func check(_ file: String, beside configuration: String) throws(SetupRefusal) {
        let path = file.hasPrefix("/") ? file : configuration.folder + file
        var status = stat()
        guard AccountCommand.isPrintable(file), unsafe stat(path, &status) == 0 else {
            throw SetupRefusal("authorities: there is no file \"\(file.shown(bytes: 64))\"")
        }
        // Opening a pipe would wait for whoever writes to it.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SetupRefusal("authorities: \"\(file.shown(bytes: 64))\" is no PEM file")
        }
    }
}

extension Settings {
    /// The settings with this trust in the server of the account of this label.
    func trusting(_ trust: ServerTrust, for label: String) -> Settings {
        var settings = self
        if let authorities = trust.authorities { settings.configuration.sip.tls.authorities = authorities }
        if let pin = trust.pin { settings.configuration.sip.tls.pins.append((label, pin)) }
        return settings
    }
}
