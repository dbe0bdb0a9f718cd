import Base
import Cryptography
import Glibc
import Platform

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

/// Why a certificate, its key, or TLS cannot be used.
package enum TLSFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file that cannot be read, or has the wrong content.
    case file(String, String)
    case library(String)

    package init(_ fault: TLSContext.Fault) {
        switch fault {
        case .file(let path, let why): self = .file(path, why.description)
        case .library(let why): self = .library(why.description)
        }
    }

    package var description: String {
        switch self {
        case .file(let path, let why): "\(path) is not a usable certificate or key: \(why)"
        case .library(let why): "TLS: \(why)"
        }
    }
}

/// The file of a private key or a password, which only the phone and root may read.
package enum PrivateKeyFile {
    /// The longest file that is read, in bytes. No private key comes near this length.
    private static let longest = 65_536

    /// Reads a file that the phone's user or root owns, and that others cannot read. The phone's own
    /// group may read it: a key that root owns for the phone is `root:offhook`, mode 640.
    package static func read(_ path: String) throws(TLSFileError) -> SecretBytes {
        var bytes = try contents(path)
        return SecretBytes(taking: &bytes)
    }

    private static func contents(_ path: String) throws(TLSFileError) -> [UInt8] {
        // The file is opened without blocking, so that a named pipe cannot hold up the start.
        let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK) {
            TLSFileError.file(path, SystemError.text($0))
        }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .file(path, SystemError.last) }
        if let fault = fault(of: status) { throw .file(path, fault) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file.number, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            }
            guard count > 0 else { throw .file(path, count < 0 ? SystemError.last : "it shrank during reading") }
            filled += count
        }
        return bytes
    }

    /// The reason why the file may not be used; nil: it may be used.
    private static func fault(of status: stat) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
        guard (1...longest).contains(Int(status.st_size)) else { return "it has \(status.st_size) bytes" }
        let mode = status.st_mode & 0o777
        let isOurGroup = status.st_gid == getegid() && mode & 0o030 == 0
        guard mode & 0o007 == 0, mode & 0o070 == 0 || isOurGroup else {
            return
                "others can read it (mode \(String(mode, radix: 8))); expected 600, or 640 with the phone's own group"
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else { return "it belongs to another user" }
        return nil
    }
}
