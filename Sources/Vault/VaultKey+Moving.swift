import Glibc

extension VaultKey {
    /// Puts what `seal` made of the key into a file (mode 600), in the place of what was there. The disk has it then.
    public static func put(_ sealed: [UInt8], at path: String) throws(VaultError) {
        try PrivateFile.replace(path, sealed)
    }

    /// Takes a file away that holds the key in clear. The disk knows it then.
    public static func remove(_ path: String) throws(VaultError) { try PrivateFile.remove(path) }

    public func isSame(as other: VaultKey) -> Bool { withBytes { own in other.withBytes { own == $0 } } }
}
