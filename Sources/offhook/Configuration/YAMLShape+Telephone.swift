import YAML

extension YAMLShape where Value == String {
    /// An address that needs no name service.
    static func numericAddress() -> YAMLShape {
        .scalar("a numeric address, as 192.0.2.7 or \"2001:db8::7\"") { text in
            NumericAddress.isVersion4(text) || NumericAddress.isVersion6(text) ? text : nil
        }
    }

    /// What a keypad can dial.
    static func digits(count: ClosedRange<Int>) -> YAMLShape {
        .scalar("\(count.lowerBound) to \(count.upperBound) of 0-9 * #") { text in
            count.contains(text.count) && text.allSatisfy { "0123456789*#".contains($0) } ? text : nil
        }
    }
}
