/// Finds a header's name among the known ones without making a string.
///
/// It is made once, for `SIPHeaderName.known`: a table of codes, hashed by the features that distinguish names (length,
/// first, middle and last letter). Cost of a search: one comparison for nearly every name, known or not.
struct SIPHeaderNames: Sendable {
    /// A name's code is its place in the registry, from 1; 0 is an unknown name.
    typealias Code = UInt8

    /// The names by code, with their texts as their RFCs write them.
    private(set) var names = [SIPHeaderName(unknown: "")]
    /// Every full and compact name in lower case, with its code.
    private var spellings: [(bytes: [UInt8], code: Code)] = [([], 0)]
    /// Indices into `spellings`; 0 means an empty slot.
    private var slots = [UInt8](repeating: 0, count: 512)

    init(_ registry: [(String, compact: String?)]) {
        precondition(registry.count < 128, "codes of names and their spellings are bytes")
        for (text, compact) in registry {
            let code = Code(names.count)
            names.append(SIPHeaderName(code: code, text: text))
            insert(text, code)
            if let compact { insert(compact, code) }
        }
    }

    /// The code of the name in `range`.
    func code(of range: Range<Int>, in bytes: [UInt8]) -> Code {
        guard !range.isEmpty else { return 0 }
        var slot = Self.hash(bytes, range)
        while slots[slot] != 0 {
            let (spelling, code) = spellings[Int(slots[slot])]
            if bytes.equalsIgnoringCase(range, lowercase: spelling) { return code }
            slot = (slot + 1) & 511
        }
        return 0
    }

    private mutating func insert(_ text: String, _ code: Code) {
        let bytes = Array(text.asciiLowercased.utf8)
        var slot = Self.hash(bytes, bytes.indices)
        while slots[slot] != 0 { slot = (slot + 1) & 511 }
        slots[slot] = UInt8(spellings.count)
        spellings.append((bytes, code))
    }

    private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let first = Int(bytes[range.lowerBound] | 0x20)
        let middle = Int(bytes[range.lowerBound + range.count / 2] | 0x20)
        let last = Int(bytes[range.upperBound - 1] | 0x20)
        return (first &* 37 &+ middle &* 101 &+ last &* 7 &+ range.count &* 59) & 511
    }
}

extension [UInt8] {
    /// Whether a range equals a text, letters of ASCII compared without case.
    func equalsIgnoringCase(_ range: Range<Int>, _ text: String) -> Bool {
        range.count == text.utf8.count
            && zip(range, text.utf8).allSatisfy { self[$0].asciiLowercased == $1.asciiLowercased }
    }

    /// Whether a range equals `lowercase`. Letters of ASCII are compared without case.
    fileprivate func equalsIgnoringCase(_ range: Range<Int>, lowercase: [UInt8]) -> Bool {
        range.count == lowercase.count
            && lowercase.indices.allSatisfy { self[range.lowerBound + $0].asciiLowercased == lowercase[$0] }
    }
}
