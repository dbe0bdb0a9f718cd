import Base

/// Makes messages with programmers' mistakes: each keeps the shape of a message, with odd content.
///
/// A message is cut into its lines; one mutation changes a line, an order, a number, a quote or a length. The same
/// seed gives the same messages.
struct GrammarMutator {
    private var random: SeededGenerator
    private let corpus: [[UInt8]]

    init(seed: UInt64, corpus: [[UInt8]]) {
        precondition(!corpus.isEmpty, "something to mutate")
        (random, self.corpus) = (SeededGenerator(seed: seed), corpus)
    }

    private struct Draft {
        var lines: [[UInt8]]
        var body: [UInt8]

        init(_ bytes: [UInt8]) {
            lines = []
            var rest = bytes[...]
            while let end = rest.firstIndex(of: 13), end + 1 < rest.endIndex, end > rest.startIndex {
                lines.append(Array(rest[..<end]))
                rest = rest[(end + 2)...]
            }
            body = Array(rest.dropFirst(2))
        }

        var bytes: [UInt8] {
            var bytes: [UInt8] = []
            for line in lines { bytes += line + [13, 10] }
            return bytes + [13, 10] + body
        }
    }

    mutating func next() -> [UInt8] {
        var draft = Draft(pick(corpus))
        for _ in 0..<Int.random(in: 1...4, using: &random) where draft.lines.count > 1 { mutate(&draft) }
        return draft.bytes
    }

    private mutating func mutate(_ draft: inout Draft) {
        let index = Int.random(in: 1..<draft.lines.count, using: &random)
        let other = Int.random(in: 1..<draft.lines.count, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: draft.lines.swapAt(index, other)
        case 1: draft.lines.insert(draft.lines[index], at: other)
        case 2: draft.lines.remove(at: index)
        case 3: rename(&draft.lines[index])
        case 4: changeCase(&draft.lines[index])
        case 5: fold(&draft.lines[index])
        case 6: changeNumber(&draft.lines[Int.random(in: 0..<draft.lines.count, using: &random)])
        case 7: breakQuotes(&draft.lines[index])
        case 8: repeatParameter(&draft.lines[index])
        case 9: draft.lines[index] += Array(pick(Self.parameters).utf8)
        case 10: joinValues(&draft.lines[index], draft.lines[other])
        case 11: draft.lines[index] = name(of: draft.lines[index]) + value(of: draft.lines[other])
        case 12: draft.lines[index] = name(of: draft.lines[index]) + Array(pick(Self.values).utf8)
        case 13: draft.lines[0] = Array(pick(Self.startLines).utf8)
        case 14: lieAboutLength(&draft)
        default: changeBody(&draft)
        }
    }

    // MARK: One line

    private func name(of line: [UInt8]) -> [UInt8] { Array(line.prefix { $0 != UInt8(ascii: ":") }) + [0x3A] }

    private func value(of line: [UInt8]) -> [UInt8] { Array(line.drop { $0 != UInt8(ascii: ":") }.dropFirst()) }

    private mutating func rename(_ line: inout [UInt8]) {
        let name = pick(Self.names)
        line = Array((Bool.random(using: &random) ? name.full : name.compact).utf8) + [0x3A] + value(of: line)
    }

    private mutating func changeCase(_ line: inout [UInt8]) {
        for index in line.indices where (0x41...0x5A).contains(line[index] & 0xDF) && Bool.random(using: &random) {
            line[index] ^= 0x20
        }
    }

    /// Line breaks where space is allowed, and where not.
    private mutating func fold(_ line: inout [UInt8]) {
        let spaces = line.indices.filter { Array(" :;=,<>/".utf8).contains(line[$0]) }
        guard !spaces.isEmpty else { return }
        line.insert(contentsOf: Array(pick([" ", "\r\n ", "\r\n\t \t", "  "]).utf8), at: pick(spaces))
    }

    private mutating func changeNumber(_ line: inout [UInt8]) {
        let starts = line.indices.filter { isDigit(line[$0]) && ($0 == 0 || !isDigit(line[$0 - 1])) }
        guard !starts.isEmpty else { return }
        let start = pick(starts)
        let end = line[start...].firstIndex { !isDigit($0) } ?? line.count
        line.replaceSubrange(start..<end, with: Array(pick(Self.numbers).utf8))
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func breakQuotes(_ line: inout [UInt8]) {
        let marks = line.indices.filter { Array("\"\\<>".utf8).contains(line[$0]) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where !marks.isEmpty: line.remove(at: pick(marks))
        case 1 where !marks.isEmpty: line.insert(pick(Array("\"\\<>".utf8)), at: pick(marks))
        default:
            line.insert(contentsOf: Array(pick([#"\""#, #""a,b;c" "#, "\"", #"\"#, "\u{FF}é"]).utf8), at: line.count)
        }
    }

    private mutating func repeatParameter(_ line: inout [UInt8]) {
        guard let start = line.lastIndex(of: UInt8(ascii: ";")) else { return }
        line += line[start...]
    }

    private mutating func joinValues(_ line: inout [UInt8], _ other: [UInt8]) {
        line += Array(pick([",", " , ", ",,", ";"]).utf8) + value(of: other)
    }

    // MARK: The body

    private mutating func lieAboutLength(_ draft: inout Draft) {
        let count = pick(Self.numbers + ["\(draft.body.count)", "\(draft.body.count + 1)", "\(draft.body.count / 2)"])
        draft.lines.removeAll { $0.starts(with: Array("Content-Length".utf8)) && Bool.random(using: &random) }
        draft.lines.append(Array("\(pick(["Content-Length", "l", "CONTENT-length"])): \(count)".utf8))
    }

    private mutating func changeBody(_ draft: inout Draft) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: draft.body = []
        case 1: draft.body += draft.body
        default: draft.body += Array("\r\n\r\nINVITE sip:a SIP/2.0\r\n\r\n".utf8)
        }
    }

    private mutating func pick<Element>(_ all: [Element]) -> Element {
        all[Int.random(in: 0..<all.count, using: &random)]
    }
}

extension GrammarMutator {
    private static let names: [(full: String, compact: String)] = [
        ("Via", "v"), ("From", "f"), ("To", "t"), ("Call-ID", "i"), ("Contact", "m"), ("CSeq", "cseq"),
        ("Content-Type", "c"), ("Route", "ROUTE"), ("Record-Route", "record-route"), ("Max-Forwards", "max-FORWARDS"),
        ("Expires", "X-Expires"), ("Supported", "k"), ("Event", "o"), ("Refer-To", "r"), ("Content-Length", "l"),
        ("Subject", "s"), ("Authorization", "WWW-Authenticate"), ("Reason", "Z"), ("Unknown!~*", "@"),
    ]

    private static let numbers = [
        "0", "1", "-1", "00000000000000000000007", "255", "256", "699", "700", "65535", "65536", "2147483647",
        "2147483648", "4294967295", "4294967296", "18446744073709551615", "18446744073709551616",
        "340282366920938463463374607431768211456", "", "1e9", "0x10", "٣",
    ]

    private static let parameters = [
        ";tag=again", ";tag", ";tag=", ";branch=z9hG4bK", ";received=[2001:db8::1]", ";rport=99999", ";lr=on", ";lr;lr",
        ";=x", ";;", ";a=\"b;c,d\"", ";a=\"b", " ; a = b ", ";%41=%42", ";transport=\u{E9}", "?a=b", ";expires=-5",
    ]

    private static let values = [
        "", "*", " * ", "<>", "<sip:>", "sip:a@b?c=d", "<sip:a@b?c=d>", "sip:a@[::1]:5060", "\"\" <tel:+1>", "<tel:>",
        "é <sip:é@b>", "<sip:%00@b>", "<sip:a@b", "a b c", "1 INVITE", "1  ACK", "2147483648 BYE", "SIP/2.0/UDP a",
        "SIP / 2.0 / WS [::]:0", "SIP/2.0/UDP a:65536", "application/sdp", "/", "x/y;z=\"",
        "Digest a=b, c=d, Basic e=f",
        "Digest", "<urn:service:sos>;a", "\"a\\\"b\" <sip:c@d>;tag=e, <sip:f@g>",
    ]

    private static let startLines = [
        "INVITE sip:a@b SIP/2.0", "ACK sip:a@b SIP/2.0", "SIP/2.0 200 OK", "SIP/2.0 100", "SIP/2.0 699 \u{E9}",
        "SIP/2.0 099 x", "sip/2.0 200 ok", "OPTIONS * SIP/2.0", "BYE tel:+1 SIP/2.0", "X urn:a SIP/2.0",
        "CANCEL sips:[::1]:1;a;b=c SIP/2.0", "INVITE sip:a@b SIP/2.1", "INVITE  sip:a@b SIP/2.0", "INVITE", "",
        "INVITE <sip:a@b> SIP/2.0", "INVITE sip:a@b?c=d SIP/2.0", "HTTP/1.1 200 OK", "GET / HTTP/1.1",
    ]
}
