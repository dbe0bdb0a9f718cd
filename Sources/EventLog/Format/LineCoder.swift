import Base
import FoundationEssentials

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
