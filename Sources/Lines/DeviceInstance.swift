/// The permanent name by which servers know a device, whatever its address (RFC 5626 §4.1).
public enum DeviceInstance {
    /// A version 4 UUID (RFC 9562 §5.4).
    ///
    /// - Parameter digits: 32 hexadecimal digits, drawn at random once for a device and an account.
    /// - Returns: Nil if `digits` is anything else.
    public static func urn(_ digits: String) -> String? {
        guard digits.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        var letters = Array(digits.utf8)
        // These two digits hold the version and the variant.
        (letters[12], letters[16]) = (UInt8(ascii: "4"), UInt8(ascii: "a"))
        var rest = letters[...]
        let groups = [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(decoding: rest.prefix(count), as: UTF8.self)
        }
        return "urn:uuid:" + groups.joined(separator: "-")
    }
}
