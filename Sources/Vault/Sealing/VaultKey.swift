import Base
import Cryptography
import Glibc

/// The secret that opens a vault: 32 bytes or more, from a systemd credential or a key file.
///
/// It prints as a placeholder, and its memory is wiped when its last copy ends.
public struct VaultKey: Sendable {
    /// The name of the systemd credential in which `LoadCredentialEncrypted=` passes the key.
    public static let credentialName = "offhook-vault-key"
    static let bytesMinimum = 32
    static let bytesMaximum = 4_096

    private let material: SecretBytes

    private init(material: SecretBytes) { self.material = material }

    /// A new key: 32 random bytes.
    public init() {
        var bytes = Salt.make(Self.bytesMinimum)
        material = SecretBytes(taking: &bytes)
    }

    /// Takes the bytes over and wipes them.
    /// - Parameter place: Where the bytes come from, for error messages.
    public init(taking bytes: inout [UInt8], from place: String) throws(VaultError) {
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) } }
        guard bytes.count >= Self.bytesMinimum else {
            throw .keyUnusable(
                path: place, why: "it has \(bytes.count) bytes; expected \(Self.bytesMinimum) or more")
        }
        material = SecretBytes(bytes)
    }

    /// Creates a new key file (mode 600, 32 random bytes).
    public static func create(at path: String) throws(VaultError) -> VaultKey {
        let key = VaultKey()
        try key.write(to: path)
        return key
    }

    /// Writes the key in clear to a new file (mode 600).
    public func write(to path: String) throws(VaultError) {
        do {
            try withBytes { (bytes) throws(VaultError) in try PrivateFile.create(path, bytes) }
        } catch .system(_, _, EEXIST) {
            throw .alreadyExists(path: path)
        }
    }

    /// Lends the key in clear to `body`.
    public func withBytes<Result, Failure>(_ body: ([UInt8]) throws(Failure) -> Result) throws(Failure) -> Result {
        var bytes = unsafe material.withBytes { unsafe Array($0) }
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) } }
        return try body(bytes)
    }

    /// Finds the key: the systemd credential if the service manager passed one, else the key unlocked with a
    /// passphrase, else the key file.
    /// - Parameters:
    ///   - unlockedFile: Where `offhook vault unlock` puts the key until the machine stops.
    ///   - credentialsDirectory: The value of `$CREDENTIALS_DIRECTORY`, if set.
    ///   - owner: A user whose key file is accepted too, besides those of this user and of root.
    public static func find(
        keyFile: String, unlockedFile: String? = nil, credentialsDirectory: String?, owner: uid_t? = nil
    ) throws(VaultError) -> VaultKey {
        var places: [String] = []
        if let credentialsDirectory {
            let path = credentialsDirectory + "/" + credentialName
            // The service manager may grant access by an ACL, whose mask shows as group permission.
            if let key = try read(path, forbidden: 0o007, owner: owner) { return key }
            places.append(path)
        }
        if let unlockedFile, let key = try read(unlockedFile, forbidden: 0o077, owner: owner) { return key }
        if let key = try read(keyFile, forbidden: 0o077, owner: owner) { return key }
        throw .keyNotFound(places: places + [keyFile])
    }

    /// Nil if the file does not exist.
    private static func read(_ path: String, forbidden: mode_t, owner: uid_t?) throws(VaultError) -> VaultKey? {
        guard var bytes = try contents(of: path, forbidden: forbidden, owner: owner) else { return nil }
        guard !LockedKey.isOne(bytes) else { throw .keyLocked(path: path) }
        return try VaultKey(taking: &bytes, from: path)
    }

    /// Nil if the file does not exist.
    static func contents(
        of path: String, forbidden: mode_t, owner: uid_t?
    ) throws(VaultError) -> [UInt8]? {
        do {
            return try PrivateFile.read(path, limit: bytesMaximum) { (status) throws(VaultError) in
                let mode = status.st_mode & 0o777
                guard mode & forbidden == 0 else { throw .permissionsTooOpen(path: path, mode: mode) }
                guard [geteuid(), 0, owner].contains(status.st_uid) else {
                    let user = status.st_uid
                    throw .keyUnusable(
                        path: path, why: "user \(user) can read it; run this as that user: `sudo -u '#\(user)'`")
                }
            }
        } catch .system(_, _, ENOENT) {
            return nil
        } catch .tooLarge {
            throw .keyUnusable(path: path, why: "it is longer than \(bytesMaximum) bytes")
        }
    }

    /// Derives a secret for one sealed file (RFC 5869). A new salt gives a key that has never sealed anything else.
    func derive(_ purpose: String, salt: [UInt8], bytes: Int) -> SecretBytes {
        KeyDerivation.hkdf(material, salt: salt, info: Array("offhook vault 1 \(purpose)".utf8), count: bytes)
    }
}

extension VaultKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "‹vault key›" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VaultKey {
    /// Replaces a file (mode 600) with the sealed form of a key, and returns when it is on the disk.
    public static func put(_ sealed: [UInt8], at path: String) throws(VaultError) {
        try PrivateFile.replace(path, sealed)
    }

    /// Removes a file with the key in clear, and returns when the disk has recorded that.
    public static func remove(_ path: String) throws(VaultError) { try PrivateFile.remove(path) }

    public func isSame(as other: VaultKey) -> Bool { withBytes { own in other.withBytes { own == $0 } } }
}
