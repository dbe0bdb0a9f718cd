import Base
import Cryptography
import Glibc
import Lines

/// What an account's server is known by besides what the configuration says, as a page tells it.
struct ServerTrust: Sendable {
    /// The one certificate that the server may show.
    let pin: Fingerprint?
    /// Who may have signed the servers' certificates: a PEM file, absolute or beside the configuration.
    let authorities: String?

    /// Reads the file, and may block.
    /// - Throws: When the pin is no fingerprint, or the file has no certificates that this phone can use.
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
        guard AccountCommand.isPrintable(file), isCertificates(path) else {
            // One answer for all that do not fit: a token must not find out which files this machine has.
            throw SetupRefusal(
                "authorities: \"\(file.shown(bytes: 64))\" is no file of certificates in PEM that this phone can read")
        }
    }

    private static func isCertificates(_ path: String) -> Bool {
        var status = stat()
        // Opening a pipe would wait for whoever writes to it.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...longest).contains(Int(status.st_size))
        else { return false }
        do {
            _ = try TLSContext(.client, trust: .authorities(file: path))
            return true
        } catch {
            return false
        }
    }

    /// Far more than all authorities of a browser take, in bytes.
    private static let longest = 4 << 20
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
