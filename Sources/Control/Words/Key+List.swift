import PhoneCore

extension Key {
    /// The names of all keys in one line for people. Numbered keys appear as ranges.
    public static let listed: String = {
        let numbered = Set(DTMFSymbol.allCases.map { Key.digit($0) }).union(lineKeys.map { .line($0) })
            .union(speedDials.map { .speedDial($0) }).union(pages.map { .page($0) })
        let plain = names.filter { !numbered.contains($0.key) }.map(\.name)
        let ranges = [range("line", lineKeys), range("speed", speedDials), range("page", pages)]
        return (["0-9 * # A-D"] + plain + ranges).joined(separator: ", ")
    }()

    private static func range(_ name: String, _ numbers: ClosedRange<UInt8>) -> String {
        "\(name)-\(numbers.lowerBound) to \(name)-\(numbers.upperBound)"
    }
}
