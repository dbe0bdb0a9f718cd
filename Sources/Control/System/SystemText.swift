import Glibc

enum SystemText {
    /// What an error number of the system means, in its words.
    static func of(_ errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        let result = unsafe strerror_r(errno, &buffer, buffer.count - 1)
        guard result == 0 else { return "error \(errno)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
