import Base
import Cryptography

/// The vault's container: one database image, sealed as a whole with AES-256-GCM.
///
///      0   8  magic
///      8   4  format version ┐
///     12  32  salt           │ the header is authenticated
///     44  16  key check      │ together with the image
///     60   8  image length   ┘
///     68   …  the encrypted image
///      …  16  tag
///
/// Numbers have their most significant byte first. Every save has a new salt.
///
/// Key, nonce and key check are derived from the vault's key and the salt by HKDF. No salt is used twice, so no pair of
/// key and nonce is. The key check distinguishes a wrong key from a changed file, and binds the file to one key, which
/// GCM alone does not.
package enum SealedImage {
    static let magic = Array("OFFHOOK\u{1A}".utf8)
    static let formatVersion: UInt32 = 1
    package static let overhead = headerBytes + AES256GCM.tagBytes
    private static let saltBytes = 32
    private static let checkBytes = 16
    private static let headerBytes = 68

    /// The secrets for one salt.
    private struct Secrets {
        let key: SecretBytes
        let nonce: [UInt8]
        let check: [UInt8]

        init(_ vaultKey: VaultKey, salt: [UInt8]) {
            key = vaultKey.derive("key", salt: salt, bytes: 32)
            nonce = unsafe vaultKey.derive("nonce", salt: salt, bytes: AES256GCM.nonceBytes).withBytes {
                unsafe Array($0)
            }
            check = unsafe vaultKey.derive("check", salt: salt, bytes: checkBytes).withBytes { unsafe Array($0) }
        }
    }

    package static func seal(_ image: UnsafeRawBufferPointer, with vaultKey: VaultKey) -> [UInt8] {
        let salt = Salt.make(saltBytes)
        let secrets = Secrets(vaultKey, salt: salt)
        var file = magic
        file.reserveCapacity(overhead + image.count)
        file.append(bigEndian: formatVersion)
        file += salt
        file += secrets.check
        file.append(bigEndian: UInt64(image.count))
        file += AES256GCM.seal(unsafe image.bytes, key: secrets.key, nonce: secrets.nonce, authenticating: file)
        return file
    }

    /// - Parameter path: Named in errors only.
    package static func open(_ file: [UInt8], with vaultKey: VaultKey, path: String) throws(VaultError) -> ClearImage {
        guard file.prefix(magic.count).elementsEqual(magic.prefix(file.count)), !file.isEmpty else {
            throw .notAVault(path: path)
        }
        let header = try parse(file, path: path)
        let secrets = Secrets(vaultKey, salt: header.salt)
        guard isEqual(secrets.check, header.check) else { throw .wrongKey(path: path) }
        let opened = AES256GCM.open(
            file[headerBytes...], key: secrets.key, nonce: secrets.nonce, authenticating: Array(file[..<headerBytes]))
        guard var clear = opened else { throw .tampered(path: path) }
        defer { unsafe clear.withUnsafeMutableBytes { unsafe wipe($0) } }
        return try image(of: clear)
    }

    private static func image(of clear: [UInt8]) throws(VaultError) -> ClearImage {
        do {
            return unsafe try clear.span.bytes.withUnsafeBytes { (bytes) throws(SQLiteError) in
                unsafe try ClearImage(copying: bytes)
            }
        } catch {
            throw .database(error)
        }
    }

    private static func parse(_ file: [UInt8], path: String) throws(VaultError) -> (salt: [UInt8], check: [UInt8]) {
        var cursor = ByteCursor(offset: magic.count)
        do {
            let version: UInt32 = try cursor.read(UInt32.self, in: file.span)
            guard version <= formatVersion else {
                throw VaultError.newerVersion(found: Int(version), known: Int(formatVersion))
            }
            guard version == formatVersion else { throw VaultError.tampered(path: path) }
            let salt = try cursor.readBytes(saltBytes, in: file.span)
            let check = try cursor.readBytes(checkBytes, in: file.span)
            let length: UInt64 = try cursor.read(UInt64.self, in: file.span)
            let available = file.count - overhead
            guard available >= 0, length <= UInt64(available) else { throw VaultError.truncated(path: path) }
            guard length == UInt64(available) else { throw VaultError.tampered(path: path) }
            return (salt, check)
        } catch let error as VaultError {
            throw error
        } catch {
            throw .truncated(path: path)
        }
    }

    /// Compares in constant time, wherever the first difference is.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        zip(left, right).reduce(UInt8(left.count ^ right.count)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

enum Salt {
    /// Random bytes from the system's generator. Every seal gets new ones.
    static func make(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
    }
}
