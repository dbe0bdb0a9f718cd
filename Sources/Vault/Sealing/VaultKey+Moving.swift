import Glibc

extension VaultKey {
    /// Replaces a file (mode 600) by the sealed form of a key, and returns when the disk has it.
    public static func put(_ sealed: [UInt8], at path: String) throws(VaultError) {
        try PrivateFile.replace(path, sealed)
    }

    /// Removes a file that holds the key in clear, and returns when the disk has recorded it.
    public static func remove(_ path: String) throws(VaultError) { try PrivateFile.remove(path) }

    public func isSame(as other: VaultKey) -> Bool { withBytes { own in other.withBytes { own == $0 } } }
}
