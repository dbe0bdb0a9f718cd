import Base
import CMosquitto
import Cryptography
import SecureTransport

/// Where caller info comes from, and how the phone and its broker prove who they are.
public struct BrokerSettings: Equatable, Sendable {
    /// Where the user's password is.
    public enum Password: Equatable, Sendable {
        /// In the first line of a file, which only the phone and root may read.
        case file(String)
        case text(Redacted<String>)
    }

    /// A name or a numeric address, with which the certificate is compared.
    public var host: String
    public var port: UInt16
    /// The phone's name at the broker, which keeps its session under it.
    public var device: String
    /// The topic of this phone's messages, without wildcards.
    public var topic: String
    /// The retained topic that says `online` or `offline`; nil: none.
    public var presence: String?
    public var user: String?
    public var password: Password?
    /// The phone's certificate, for brokers that ask for one.
    public var identity: TLSIdentityFiles?
    /// PEM file of the trusted authorities. Nil: the system's.
    public var authorities: String?
    /// SHA-256 of the one certificate that the broker may show. Authorities and names do not count then.
    public var pin: [UInt8]?

    public static let usualPort: UInt16 = 8_883

    public init(host: String, port: UInt16 = usualPort, device: String, topic: String) {
        (self.host, self.port, self.device, self.topic) = (host, port, device, topic)
    }

    /// The broker's name in texts for people.
    var broker: String { "\(host.inBrackets):\(port)" }
}

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

/// libmosquitto, loaded when the first value is made. It stays loaded until the program ends.
package struct MosquittoLibrary {
    /// Why the library cannot be used.
    package struct Missing: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The Debian package that has the library.
    package static let package = "libmosquitto1"

    let functions: cmosquitto

    package init() throws(Missing) {
        var functions = cmosquitto()
        if let why = unsafe cmosquitto_load(&functions) { throw Missing(description: unsafe String(cString: why)) }
        guard functions.lib_init() == 0 else { throw Missing(description: "it does not start") }
        self.functions = functions
    }
}
