import Glibc

/// The C library's words for its error numbers.
enum SystemText {
    static func describe(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        // The XSI form, which Swift imports: it fills the buffer and is safe on any thread.
        _ = unsafe strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
