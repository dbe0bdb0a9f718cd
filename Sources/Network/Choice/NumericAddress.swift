import Glibc

/// Converts numeric addresses between text and bytes.
enum NumericAddress {
    /// - Parameter text: An IPv6 address may name its link after a `%`.
    /// - Returns: Four or sixteen bytes. Nil: the text is not a numeric address.
    static func bytes(_ text: String) -> [UInt8]? {
        let plain = String(text.prefix { $0 != "%" })
        var four = [UInt8](repeating: 0, count: 4)
        if unsafe inet_pton(AF_INET, plain, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        return unsafe inet_pton(AF_INET6, plain, &sixteen) == 1 ? sixteen : nil
    }

    /// - Parameter bytes: Four or sixteen.
    static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: 64)
        guard unsafe inet_ntop(bytes.count == 16 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil
        else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
