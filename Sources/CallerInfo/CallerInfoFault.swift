import Cryptography
import SecureTransport

/// Why caller info cannot be received, whatever the broker does.
package enum CallerInfoFault: Error, Equatable, Sendable {
    /// libmosquitto cannot be loaded.
    case library(String)
    case file(String)

    /// The Debian package that has the library.
    package static let package = MosquittoLibrary.package
}

extension BrokerSettings {
    /// Loads the library and reads the files.
    package func examine() throws(CallerInfoFault) {
        do throws(MosquittoLibrary.Missing) { _ = try MosquittoLibrary() } catch { throw .library(error.description) }
        do throws(TLSFileError) {
            _ = try context()
            if case .file(let file) = password { _ = try PrivateKeyFile.read(file) }
        } catch {
            throw .file(error.cause)
        }
    }

    /// TLS with the files as they are now.
    func context() throws(TLSFileError) -> TLSContext {
        let trust: TLSContext.Trust =
            if let pin {
                .pinned(pin)
            } else if let authorities {
                .authorities(file: authorities)
            } else {
                .system
            }
        return try TLSContext(.client, trust: trust, files: identity)
    }
}

extension TLSFileError {
    /// The file and the reason, without a guess at the file's purpose.
    var cause: String {
        switch self {
        case .file(let path, let why): "\(path): \(why)"
        case .library(let why): why
        }
    }
}
