import Base
import Cryptography
import ICECore

/// An input as up to 64 steps: each is a byte for its kind, a length byte, and so many bytes.
struct FuzzSteps: Sequence, IteratorProtocol {
    private static let limit = 64

    private var rest: ArraySlice<UInt8>
    private var left = Self.limit

    init(_ input: [UInt8]) { rest = input[...] }

    mutating func next() -> (what: UInt8, bytes: [UInt8])? {
        guard left > 0, let what = rest.popFirst(), let count = rest.popFirst() else { return nil }
        left -= 1
        let bytes = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        return (what, bytes)
    }
}

extension STUNMessage {
    /// A message of the first byte's class with attributes from the rest: a type by its index in a list, a length, and
    /// the value.
    init(fuzzed bytes: [UInt8], method: UInt16, id: TransactionID) {
        let types: [UInt16] = [
            0x0006, 0x0008, 0x0009, 0x000A, 0x000C, 0x000D, 0x0012, 0x0013, 0x0014, 0x0015, 0x0016, 0x001C, 0x0020,
            0x0024, 0x0025, 0x8002, 0x8029, 0x802A, 0x0777, 0x8777,
        ]
        var rest = bytes.dropFirst()
        var attributes: [Attribute] = []
        while attributes.count < 16, let place = rest.popFirst(), let count = rest.popFirst() {
            let count = Int(count % 40)
            attributes.append(Attribute(types[Int(place) % types.count], Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        let kind = Class(rawValue: UInt16((bytes.first ?? 0) & 3)) ?? .request
        self.init(kind, id: id, attributes: attributes, method: method)
    }
}
