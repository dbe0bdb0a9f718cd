import Glibc

extension VaultKey {
    /// Replaces a file (mode 600) with the sealed form of a key, and returns when it is on the disk.
    public static func put(_ sealed: [UInt8], at path: String) throws(VaultError) {
        try PrivateFile.replace(path, sealed)
    }

    /// Removes a file with the key in clear, and returns when the disk has recorded that.
    public static func remove(_ path: String) throws(VaultError) { try PrivateFile.remove(path) }

    public func isSame(as other: VaultKey) -> Bool { withBytes { own in other.withBytes { own == $0 } } }
}
