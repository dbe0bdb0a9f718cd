import JSON
import PhoneCore

extension CallID {
    /// Parses the form of `description`: `out-3`, `in-1.7`, `info-2`, `past-5`.
    init?(_ text: String) {
        if text.hasPrefix("out-") {
            guard let number = UInt32(text.dropFirst(4)) else { return nil }
            self.init(.phone, number)
        } else if text.hasPrefix("info-") {
            guard let number = UInt32(text.dropFirst(5)) else { return nil }
            self.init(.info, number)
        } else if text.hasPrefix("past-") {
            guard let number = UInt32(text.dropFirst(5)) else { return nil }
            self.init(.past, number)
        } else if text.hasPrefix("in-") {
            let parts = text.dropFirst(3).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let account = Int64(parts[0]), let number = UInt32(parts[1]) else { return nil }
            self.init(.line(AccountID(account)), number)
        } else {
            return nil
        }
        // Allow only one spelling for each call: no plus sign, no leading zeros.
        guard description == text else { return nil }
    }

    var json: JSONValue { .string(description) }
}
