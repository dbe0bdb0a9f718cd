import Cryptography

/// Why the files of a certificate and its key cannot be used, or TLS cannot.
package enum TLSFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file that cannot be read, or is not what it should be.
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
        case .file(let path, let why): "\(path) is no usable certificate or key: \(why)"
        case .library(let why): "TLS: \(why)"
        }
    }
}
