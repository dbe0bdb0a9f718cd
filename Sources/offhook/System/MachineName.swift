import Glibc
import Lines
import PhoneCore

/// The name that systemd gives every installation once, in machine-id(5).
struct MachineName {
    private let secret: [UInt8]

    /// Nil on a machine that has none.
    static func read() -> MachineName? {
        let file = unsafe open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
        // "uninitialized" until the first boot is over.
        guard count == 32, bytes.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }) else {
            return nil
        }
        return MachineName(secret: bytes)
    }

    func instance(of account: AccountID) -> String { DeviceInstance.urn(secret: secret, account: account.rawValue) }
}
