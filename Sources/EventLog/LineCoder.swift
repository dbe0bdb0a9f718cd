import Base
import JSON
import Synchronization

/// Encodes values to bytes and back, one value per line. All secrets that one coder writes share one set of names.
///
/// Object members are sorted, so that a file begins with its format and equal values give equal lines.
struct LineCoder {
    private let names = SecretNames()

    /// The value as JSON on one line, without the line's end.
    func encode(_ value: some Encodable) throws(EventLogError) -> [UInt8] { try json(value).utf8 }

    /// - Parameter replacer: Replaces what the event log hides. Nil: nothing is hidden.
    func json(_ value: some Encodable, replacer: Replacer? = nil) throws(EventLogError) -> JSONValue {
        do {
            return try LineEncoder(replacer: replacer, names: names).json(for: value)
        } catch {
            throw .unwritable("\(error)")
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) throws(DecodingError) -> Value {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: line)
        } catch {
            throw .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
        }
        return try decode(type, from: json)
    }

    func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws(DecodingError) -> Value {
        do {
            return try LineDecoder(json: json, codingPath: []).decode(type)
        } catch let error as DecodingError {
            throw error
        } catch {
            throw .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
        }
    }
}

/// The names of one file's secrets: numbers from 1, in the order of their first appearance.
///
/// It keeps no secret, only the process's randomly keyed hash of it. The hash has 64 bits: among thousands of secrets
/// in a file, two share a hash less often than once in 10¹¹ files.
final class SecretNames: SecretNaming, Sendable {
    private let names = Mutex<[Int: Int]>([:])

    func name(of secret: AnyHashable) -> Int {
        let hash = secret.hashValue
        return names.withLock { names in
            if let name = names[hash] { return name }
            names[hash] = names.count + 1
            return names.count
        }
    }
}

extension DecodingError {
    /// What is wrong in a line, and where.
    var words: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.place(context))\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(Self.place(context))\(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func place(_ context: Context) -> String {
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return path.isEmpty ? "" : path.joined(separator: ".") + ": "
    }
}
