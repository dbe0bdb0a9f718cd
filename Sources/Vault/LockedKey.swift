import Base
import Crypto
import CryptoExtras
import FoundationEssentials
import Glibc

/// A vault's key that a passphrase locks.
///
///      0   8  magic
///      8   1  format version
///      9   1  cost: scrypt's N is 2 to the power of it
///     10  32  salt
///     42  12  nonce     ┐
///     54   …  the key   │ AES-256-GCM, with all before it authenticated; its key is scrypt's (RFC 7914, r = 8, p = 1)
///      …  16  tag       ┘
enum LockedKey {
    private static let magic = Array("OFFHKEY\u{1A}".utf8)
    private static let version: UInt8 = 1
    /// 32 MiB, and about a third of a second on a small board.
    private static let cost: UInt8 = 15
    /// What a file may ask for: 256 MiB.
    private static let costs: ClosedRange<UInt8> = 14...18
    private static let saltBytes = 32
    private static let headerBytes = magic.count + 2 + saltBytes

    static func isOne(_ file: [UInt8]) -> Bool { file.starts(with: magic) }

    static func lock(_ key: [UInt8], by passphrase: Redacted<String>) -> [UInt8] {
        let salt = Salt.make(saltBytes)
        let header = magic + [version, cost] + salt
        do {
            let wrapping = try derive(from: passphrase, salt: salt, cost: cost)
            let box = try AES.GCM.seal(key, using: wrapping, authenticating: header)
            return header + box.nonce + box.ciphertext + box.tag
        } catch {
            preconditionFailure("AES-GCM and scrypt refuse only sizes that are wrong: \(error)")
        }
    }

    /// - Parameter path: Named in errors only.
    static func unlock(_ file: [UInt8], by passphrase: Redacted<String>, path: String) throws(VaultError) -> [UInt8] {
        guard isOne(file), file.count > headerBytes, file[magic.count] == version,
            costs.contains(file[magic.count + 1])
        else { throw .keyUnusable(path: path, why: "it is no key that a passphrase locks") }
        let header = file[..<headerBytes]
        do {
            let wrapping = try derive(from: passphrase, salt: header.suffix(saltBytes), cost: file[magic.count + 1])
            let box = try AES.GCM.SealedBox(combined: file[headerBytes...])
            return Array(try AES.GCM.open(box, using: wrapping, authenticating: header))
        } catch {
            throw .keyUnusable(path: path, why: "the passphrase is another one, or the file was changed")
        }
    }

    private static func derive(
        from passphrase: Redacted<String>, salt: some Collection<UInt8>, cost: UInt8
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Array(passphrase.reveal().utf8), salt: Array(salt), outputByteCount: 32, rounds: 1 << Int(cost),
            blockSize: 8, parallelism: 1)
    }
}

extension VaultKey {
    /// Puts the key, locked, into a file (mode 600) that was not there before.
    public func lock(by passphrase: Redacted<String>, at path: String) throws(VaultError) {
        let file = withBytes { LockedKey.lock($0, by: passphrase) }
        do {
            try PrivateFile.create(path, file)
        } catch .system(_, _, EEXIST) {
            throw .alreadyExists(path: path)
        }
    }

    public static func unlock(_ path: String, by passphrase: Redacted<String>) throws(VaultError) -> VaultKey {
        guard let file = try contents(of: path, forbidden: 0o077, owner: nil) else {
            throw .keyNotFound(places: [path])
        }
        var bytes = try LockedKey.unlock(file, by: passphrase, path: path)
        return try VaultKey(taking: &bytes, from: path)
    }
}
