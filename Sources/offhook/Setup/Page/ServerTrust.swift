import Base
import Cryptography
import Glibc
import Lines

/// Certificates to trust for an account's server, from a page, in addition to the configuration.
struct ServerTrust: Sendable {
    /// The only certificate that the server may show.
    let pin: Fingerprint?
    /// The authorities that may sign the servers' certificates: a PEM file, absolute or relative to the configuration.
    let authorities: String?

    /// Reads the file, and may block.
    /// - Throws: If the pin is no fingerprint, or the file has no usable certificates.
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
            // The same error for every reason, because a token must not reveal which files this machine has.
            throw SetupRefusal(
                "authorities: \"\(file.shown(bytes: 64))\" is no readable PEM file with certificates")
        }
    }

    private static func isCertificates(_ path: String) -> Bool {
        var status = stat()
        // Opening a pipe would block until somebody writes to it.
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

    /// Far more than all authorities of a browser need, in bytes.
    private static let longest = 4 << 20
}

extension Settings {
    /// The settings, with this trust for the server of the account with this label.
    func trusting(_ trust: ServerTrust, for label: String) -> Settings {
        var settings = self
        if let authorities = trust.authorities { settings.configuration.sip.tls.authorities = authorities }
        if let pin = trust.pin { settings.configuration.sip.tls.pins.append((label, pin)) }
        return settings
    }
}
