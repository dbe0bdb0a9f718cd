import Base
import Cryptography
import Glibc

/// The file format of a vault key that a passphrase locks.
///
///      0   8  magic
///      8   1  format version
///      9   1  cost: log2 of scrypt's N
///     10  32  salt
///     42  12  nonce     ┐
///     54   …  the key   │ AES-256-GCM; all bytes before it are authenticated
///      …  16  tag       ┘
///
/// scrypt derives the AES key from the passphrase (RFC 7914, r = 8, p = 1).
enum LockedKey {
    private static let magic = Array("OFFHKEY\u{1A}".utf8)
    private static let version: UInt8 = 1
    /// Takes 32 MiB, and about a third of a second on a small board.
    private static let cost: UInt8 = 15
    /// The costs that a file may have; the highest takes 256 MiB.
    private static let costs: ClosedRange<UInt8> = 14...18
    private static let saltBytes = 32
    private static let headerBytes = magic.count + 2 + saltBytes
    /// The file's size without the key.
    private static let overhead = headerBytes + AES256GCM.nonceBytes + AES256GCM.tagBytes

    static func isOne(_ file: [UInt8]) -> Bool { file.starts(with: magic) }

    static func lock(_ key: [UInt8], by passphrase: Redacted<String>) -> [UInt8] {
        let salt = Salt.make(saltBytes)
        let header = magic + [version, cost] + salt
        let nonce = Salt.make(AES256GCM.nonceBytes)
        let wrapping = derive(from: passphrase, salt: salt, cost: cost)
        let sealed = AES256GCM.seal(key, key: wrapping, nonce: nonce, authenticating: header)
        return header + nonce + sealed
    }

    /// - Parameter path: Named in errors only.
    static func unlock(_ file: [UInt8], by passphrase: Redacted<String>, path: String) throws(VaultError) -> [UInt8] {
        guard isOne(file), file.count > overhead, file[magic.count] == version,
            costs.contains(file[magic.count + 1])
        else { throw .keyUnusable(path: path, why: "it is not a key locked by a passphrase") }
        let header = Array(file[..<headerBytes])
        let wrapping = derive(from: passphrase, salt: header.suffix(saltBytes), cost: file[magic.count + 1])
        let box = file[headerBytes...]
        let key = AES256GCM.open(
            box.dropFirst(AES256GCM.nonceBytes), key: wrapping, nonce: Array(box.prefix(AES256GCM.nonceBytes)),
            authenticating: header)
        guard let key else {
            throw .keyUnusable(path: path, why: "the passphrase is wrong, or the file was changed")
        }
        return key
    }

    private static func derive(
        from passphrase: Redacted<String>, salt: some Collection<UInt8>, cost: UInt8
    ) -> SecretBytes {
        var bytes = Array(passphrase.reveal().utf8)
        return KeyDerivation.scrypt(
            SecretBytes(taking: &bytes), salt: Array(salt), rounds: 1 << UInt64(cost), blockSize: 8,
            parallelism: 1, count: AES256GCM.keyBytes)
    }
}

extension VaultKey {
    /// Writes the locked key to a file (mode 600) that did not exist before.
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
