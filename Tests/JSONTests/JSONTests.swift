import Base
import JSON
import Testing

@Suite struct JSONTests {
    static let valid: [(text: String, value: JSONValue)] = [
        ("null", nil), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)), ("18446744073709551615", .unsigned(.max)),
        ("18446744073709551616", .number(18_446_744_073_709_551_616)), ("1.5", 1.5), ("1e3", 1_000.0), ("1E-2", 0.01),
        ("2.0e+1", 20.0), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\uD83D\uDE00é😀""#, "é😀é😀"), (#""\u0000""#, "\u{0}"), ("[]", []), ("[1,[2],{}]", [1, [2], [:]]),
        (#"{ "a" : 1 , "b" : [ null ] }"#, ["a": 1, "b": [nil]]), ("\t\r\n{}", [:]),
    ]

    @Test func validJSONIsRead() throws {
        for (text, value) in Self.valid {
            #expect(try JSONValue(parsing: text) == value, "\(text)")
            #expect(try JSONValue(parsing: value.text) == value, "\(value.text)")
        }
    }

    static let invalid: [(text: String, error: JSONError.Kind, offset: Int)] = [
        ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3),
        ("1 2", .trailingBytes, 2), ("01", .trailingBytes, 1), ("+1", .unexpectedByte, 0), ("-", .unexpectedEnd, 1),
        ("1.", .unexpectedEnd, 2), (".5", .unexpectedByte, 0), ("1e", .unexpectedEnd, 2),
        ("1e999", .numberOutOfRange, 0),
        ("NaN", .unexpectedByte, 0), ("[1,]", .unexpectedByte, 3), ("[1", .unexpectedEnd, 2),
        ("[1}", .unexpectedByte, 2),
        ("{\"a\"}", .unexpectedByte, 4), ("{a:1}", .unexpectedByte, 1), ("{\"a\":1,}", .unexpectedByte, 7),
        ("{\"a\":1,\"a\":2}", .duplicateMember, 7), ("\"abc", .unexpectedEnd, 4), ("\"a\nb\"", .unexpectedByte, 2),
        ("\"\\x\"", .badEscape, 1), ("\"\\u12G4\"", .badEscape, 1), ("\"\\uD800\"", .badEscape, 1),
        ("\"\\uD800\\u0041\"", .badEscape, 1), ("\"\\uDC00\"", .badEscape, 1), ("\u{FEFF}1", .unexpectedByte, 0),
    ]

    @Test func invalidJSONIsExactError() {
        for (text, kind, offset) in Self.invalid {
            #expect("\(text)") { try JSONValue(parsing: text) } throws: { error in
                let error = error as? JSONError
                return error?.kind == kind && error?.offset == offset
            }
        }
    }

    @Test func bytesThatAreNotUTF8AreRejected() {
        for bytes: [UInt8] in [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] {
            #expect { try JSONValue(parsing: [0x22] + bytes + [0x22]) } throws: {
                ($0 as? JSONError)?.kind == .badEncoding
            }
        }
    }

    @Test func depthIsLimited() throws {
        let deepest = JSONValue.maximumDepth
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSONValue(parsing: nested(deepest)).array != nil)
        #expect { try JSONValue(parsing: nested(deepest + 1)) } throws: { ($0 as? JSONError)?.kind == .tooDeep }
        #expect { try JSONValue(parsing: String(repeating: "{\"a\":", count: 60_000)) } throws: {
            ($0 as? JSONError)?.kind == .tooDeep
        }
    }

    @Test func textsAreOneLineAndSafeForTerminals() {
        let text = JSONValue.string("a\nb\u{1B}[2J\u{7F}\u{9B}\u{0}").text
        #expect(text == #""a\nb\u001b[2J\u007f\u009b\u0000""#)
        #expect(JSONValue.number(.nan).text == "null")
        #expect(JSONValue.number(-.infinity).text == "null")
        let members: JSONValue = ["b": 1, "a": 2.5]
        #expect(members.text == #"{"a":2.5,"b":1}"#)
    }

    /// Any bytes give a value or an error, and a value survives being written and read.
    @Test(arguments: [UInt64(1), 2, 3]) func mutatedTextsNeverTrap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let start = Array(
            #"{"jsonrpc":"2.0","id":-1.5e3,"method":"x\u00e9\uD83D\uDE00","params":{"a":[true,null]}}"#.utf8)
        var (values, errors) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = start
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
                }
            }
            guard let value = try? JSONValue(parsing: bytes) else {
                errors += 1
                continue
            }
            values += 1
            #expect(try JSONValue(parsing: value.utf8) == value)
        }
        #expect(values > 0 && errors > 0)
    }
}
