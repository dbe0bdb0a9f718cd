/// Why the display cannot show anything.
public struct DisplayError: Error, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ spec: DisplaySpec, _ reason: String) {
        let digits = String(spec.address, radix: 16)
        description = "display 0x\(digits) on \(spec.bus): \(reason)"
    }
}
