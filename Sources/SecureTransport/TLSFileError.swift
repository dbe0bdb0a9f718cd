import Cryptography

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
