import Base
import FoundationEssentials
import Synchronization

/// Encodes values to bytes and back, one value per line. All secrets that one coder writes share one set of names.
struct LineCoder {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() {
        // The keys are sorted, so that a file begins with its format and equal values give equal lines.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A floating-point value that is not a number must not end an event log.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        if let key = CodingUserInfoKey.secretNaming { encoder.userInfo[key] = SecretNames() }
    }

    /// The value as JSON on one line, without the line's end.
    func encode(_ value: some Encodable) throws(EventLogError) -> [UInt8] {
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw .unwritable("\(error)")
        }
    }

    func decode<Value: Decodable>(_: Value.Type, from line: [UInt8]) throws(DecodingError) -> Value {
        do {
            return try decoder.decode(Value.self, from: Data(line))
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
