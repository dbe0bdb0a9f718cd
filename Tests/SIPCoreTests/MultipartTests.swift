import Base
import SIPCore
import Testing

/// Bodies made of bodies (RFC 2046 §5.1), friendly and hostile.
@Suite struct MultipartTests {
    private static func parse(_ lines: String, boundary: String = "b", subtype: String = "mixed") throws
        -> MultipartBody
    {
        try MultipartBody(wire(lines), type(boundary, subtype))
    }

    private static func type(_ boundary: String, _ subtype: String = "mixed") -> MediaType {
        var type = MediaType(name: "multipart/\(subtype)")
        type.parameters.setQuoted("boundary", boundary)
        return type
    }

    private static func bytes(_ part: MultipartBody.Part) -> String? {
        if case .bytes(let bytes) = part.content { text(bytes) } else { nil }
    }

    @Test func partsAreSplitAtBoundaryLines() throws {
        let body = try Self.parse(
            """
            for old programs
            --b
            Content-Type: text/plain
            content-disposition: render;
             handling=optional

            one --b
            --bc
             --b
            --b \t
            \n
            two
            --b
            X: y
            --b--
            behind it
            --b
            """)
        #expect(body.subtype == "mixed")
        #expect(body.parts.map { Self.bytes($0) } == ["one --b\r\n--bc\r\n --b", "\r\ntwo", ""])
        #expect(try body.parts[0].headers.contentType?.name == "text/plain")
        #expect(try body.parts[0].headers.contentDisposition?.isOptional == true)
        #expect(body.parts[1].headers.isBare)
        #expect(body.parts[2].headers[SIPHeaderName("x")] == "y")
    }

    @Test func bodiesMayBeNested() throws {
        let body = try Self.parse(
            "--b\nContent-Type: multipart/alternative;boundary=bb\n\n--bb\n\none\n--bb\n\ntwo\n--bb--\n--b\n\nthree\n--b--"
        )
        guard case .parts(let inner) = body.parts[0].content else { throw Unexpected() }
        #expect(inner.subtype == "alternative")
        #expect(inner.parts.map { Self.bytes($0) } == ["one", "two"])
        #expect(Self.bytes(body.parts[1]) == "three")
    }

    @Test(arguments: [
        ("--b\n\nx", MultipartError.unterminated), ("", .unterminated), ("--b--", .empty), ("x\n--b--\n", .empty),
        ("--b\n\n--bx--\n", .unterminated), ("--b", .unterminated),
        ("--b\nbad\n\n--b--", .head(part: 0, SIPParseError(.fieldName, at: 0))),
        ("--b\nA: 1\n: 2\n\n--b--", .head(part: 0, SIPParseError(.fieldName, at: 6))),
        (
            "--b\n\n\n--b\nContent-Type: x\n\n--b--",
            .head(part: 1, SIPParseError(.expected("/"), at: 1, in: .contentType))
        ),
        ("--b\nA: \r1\n\n--b--", .head(part: 0, SIPParseError(.lineEnd, at: 3))),
        ("--b\nContent-Type: multipart/mixed\n\n--b--", .boundary),
    ])
    func faultsAreReported(_ lines: String, _ error: MultipartError) {
        #expect(throws: error) { try Self.parse(lines) }
    }

    @Test(arguments: ["", " ", "b ", "b\"", "b\u{E9}", "b\r\n", String(repeating: "b", count: 71)])
    func hostileBoundariesAreSafe(_ boundary: String) {
        #expect(throws: MultipartError.boundary) {
            try Self.parse("--\(boundary)\n\n--\(boundary)--", boundary: boundary)
        }
    }

    @Test(arguments: ["'()+_,-./:=?", "a b", "-", "--", String(repeating: "b", count: 70)])
    func oddBoundariesAreAccepted(_ boundary: String) throws {
        let body = try Self.parse("--\(boundary)\n\nx\n--\(boundary)--", boundary: boundary)
        #expect(body.parts.map { Self.bytes($0) } == ["x"])
    }

    @Test func limitsHold() throws {
        #expect(throws: MultipartError.notMultipart) { try MultipartBody([], .sdp) }
        #expect(throws: MultipartError.tooLong(limit: SIPLimits.message)) {
            try MultipartBody([UInt8](repeating: 65, count: SIPLimits.message + 1), Self.type("b"))
        }
        let full = String(repeating: "--b\n\n\n", count: MultipartBody.partLimit)
        #expect(try Self.parse(full + "--b--").parts.count == MultipartBody.partLimit)
        #expect(throws: MultipartError.tooManyParts(limit: MultipartBody.partLimit)) { try Self.parse(full + full) }
        var nested = "--b0\n\nx\n--b0--"
        for depth in 1..<MultipartBody.nestingLimit {
            nested = "--b\(depth)\nContent-Type: multipart/mixed;boundary=b\(depth - 1)\n\n\(nested)\n--b\(depth)--"
        }
        let outermost = MultipartBody.nestingLimit - 1
        #expect(throws: Never.self) { try Self.parse(nested, boundary: "b\(outermost)") }
        nested = "--c\nContent-Type: multipart/mixed;boundary=b\(outermost)\n\n\(nested)\n--c--"
        #expect(throws: MultipartError.tooDeep(limit: MultipartBody.nestingLimit)) {
            try Self.parse(nested, boundary: "c")
        }
        let line = "--b\nA: " + String(repeating: "a", count: SIPLimits.line)
        #expect(
            throws: MultipartError.head(part: 0, SIPParseError(.tooLong(limit: SIPLimits.line), at: SIPLimits.line))
        ) {
            try Self.parse(line + "\n\n--b--")
        }
        let fields = "--b\n" + String(repeating: "A:\n", count: SIPLimits.fields + 1)
        #expect(
            throws: MultipartError.head(
                part: 0, SIPParseError(.tooManyFields(limit: SIPLimits.fields), at: 4 * SIPLimits.fields))
        ) { try Self.parse(fields + "\n\n--b--") }
    }

    /// Goal: no bytes trap. Method: seeded mixtures of what a multipart body is made of.
    @Test func mixturesNeverTrap() {
        let pieces = [
            "--b", "--", "b", "\r\n", "\r", "\n", " ", "Content-Type: multipart/mixed;boundary=b", ":", "x", "--b--",
        ]
        var random = SeededGenerator(seed: 0xB0D)
        var good = 0
        for _ in 0..<20_000 {
            var body = "--b\r\n\r\n"
            for _ in 0..<Int.random(in: 0...24, using: &random) {
                body += pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            if Bool.random(using: &random) { body += "\r\n--b--" }
            do throws(MultipartError) {
                good += try MultipartBody(Array(body.utf8), Self.type("b")).parts.count
            } catch {
                continue
            }
        }
        #expect(good > 100)
    }
}

extension SIPHeaders {
    fileprivate var isBare: Bool { fields.isEmpty }
}
