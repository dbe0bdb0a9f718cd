import Glibc
import Vault

/// Seals the vault's key to this machine, and opens it again, with `systemd-creds`. The key goes only through pipes.
/// - SeeAlso: systemd-creds(1)
enum SystemdCredentials {
    /// The binding of a sealed credential, in systemd's terms.
    enum Binding: String, CaseIterable {
        /// The machine's TPM and, if /var/lib/systemd is persistent, also its host key. Without a TPM only the host
        /// key.
        case auto
        /// A file that only root may read, on the same disk.
        case host
        case tpm2
        case both = "host+tpm2"
    }

    private static let program = "systemd-creds"

    /// Whether this machine has a TPM that systemd can use.
    static var hasTPM: Bool {
        do { return try SystemCommand.run([program, "has-tpm2", "--quiet"]).status == 0 } catch { return false }
    }

    static func seal(_ key: VaultKey, to binding: Binding) throws(CommandError) -> [UInt8] {
        let words = [
            program, "--with-key=\(binding.rawValue)", "--name=\(VaultKey.credentialName)", "encrypt", "-", "-",
        ]
        return try key.withBytes { (bytes) throws(CommandError) in try SystemCommand.output(of: words, input: bytes) }
    }

    static func open(_ path: String) throws -> VaultKey {
        var bytes = try SystemCommand.output(of: [program, "--name=\(VaultKey.credentialName)", "decrypt", path, "-"])
        return try VaultKey(taking: &bytes, from: path)
    }

    /// Makes the service manager read its units again, if it runs.
    static func reloadUnits() throws(CommandError) {
        var status = stat()
        guard unsafe stat("/run/systemd/system", &status) == 0 else { return }
        _ = try SystemCommand.output(of: ["systemctl", "daemon-reload"])
    }
}
