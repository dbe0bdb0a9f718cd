import Cryptography

/// The files of a certificate with its chain, and of its key, both in PEM.
public struct TLSIdentityFiles: Equatable, Sendable {
    public var certificateFile: String
    public var keyFile: String

    public init(certificateFile: String, keyFile: String) {
        (self.certificateFile, self.keyFile) = (certificateFile, keyFile)
    }
}

extension TLSContext {
    /// Reads the files.
    package convenience init(
        _ side: Side, trust: Trust, files: TLSIdentityFiles?
    ) throws(TLSFileError) {
        let identity: Identity?
        if let files {
            identity = Identity(
                certificateFile: files.certificateFile, key: try PrivateKeyFile.read(files.keyFile),
                keyFile: files.keyFile)
        } else {
            identity = nil
        }
        do throws(Fault) {
            try self.init(side, trust: trust, identity: identity)
        } catch {
            throw TLSFileError(error)
        }
    }
}
