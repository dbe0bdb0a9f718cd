import Base
import SIPCore
import Testing

/// The session description in a message's body.
@Suite struct MessageBodyTests {
    private static func invite(_ head: String, _ body: String = "") throws -> SIPRequest {
        var invite = try SIPRequest.sample(.invite)
        for line in head.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            invite.headers.append(SIPHeaderName(String(parts[0])), String(parts[1].dropFirst()))
        }
        invite.body = wire(body)
        return invite
    }

    private static func mixed(_ parts: String..., subtype: String = "mixed", head: String = "") throws -> SIPRequest {
        let body = parts.map { "--b\n" + $0 + "\n" }.joined() + "--b--\n"
        return try invite("Content-Type: multipart/\(subtype);boundary=b\n" + head, body)
    }

    private static let sdp = "Content-Type: application/sdp\n\nsdp"
    private static let other = "Content-Type: text/x-other\n\nother"
    private static let optional = "Content-Type: text/x-other\nContent-Disposition: render;handling=optional\n\nother"

    @Test func bodyAloneIsFound() throws {
        #expect(try Self.invite("").body(of: .sdp) == nil)
        #expect(try Self.invite("Content-Type: text/plain").body(of: .sdp) == nil)
        #expect(try Self.invite("c: Application/SDP;x=y", "sdp").body(of: .sdp) == Array("sdp".utf8))
        #expect(try Self.invite("Content-Encoding: identity\nc: application/sdp", "sdp").body(of: .sdp) != nil)
        #expect(try Self.invite("", "sdp").body(of: .sdp) == Array("sdp".utf8))
        let optional = "c: text/plain\nContent-Disposition: render;handling=Optional"
        #expect(try Self.invite(optional, "x").body(of: .sdp) == nil)
        #expect(try Self.invite("c: text/plain", "x").body(of: MediaType(name: "text/plain")) == [120])
    }

    @Test(arguments: [
        ("c: text/plain", BodyFault.notUnderstood("text/plain"), 415),
        ("c: text/plain\nContent-Disposition: render;handling=required", .notUnderstood("text/plain"), 415),
        ("c: application/sdp\nContent-Disposition: early-session", .notUnderstood("application/sdp"), 415),
        ("c: application/sdp\nContent-Encoding: gzip", .encoded("gzip"), 415),
        ("c: text", .header(SIPParseError(.expected("/"), at: 4, in: .contentType)), 400),
        ("c: a/b\nc: a/b", .notUnderstood("a/b"), 415),
        ("c: multipart/mixed", .multipart(.boundary), 400),
        ("c: multipart/mixed;boundary=b", .multipart(.unterminated), 400),
    ])
    func bodyFaultsAreReported(_ head: String, _ fault: BodyFault, _ status: Int) throws {
        let invite = try Self.invite(head, "body")
        #expect(throws: fault) { try invite.body(of: .sdp) }
        #expect(fault.status.code == status)
    }

    @Test func bodyAmongOthersIsFound() throws {
        let found = Array("sdp".utf8)
        #expect(try Self.mixed(Self.sdp).body(of: .sdp) == found)
        #expect(try Self.mixed(Self.optional, Self.sdp).body(of: .sdp) == found)
        #expect(try Self.mixed(Self.sdp, Self.optional).body(of: .sdp) == found)
        #expect(try Self.mixed(Self.sdp, Self.sdp + "2").body(of: .sdp) == found)
        #expect(try Self.mixed(Self.optional).body(of: .sdp) == nil)
        let early = Self.sdp.replacing("\n\n", with: "\nContent-Disposition: early-session;handling=optional\n\nearly ")
        #expect(try Self.mixed(early, Self.sdp).body(of: .sdp) == found)
        #expect(try Self.mixed(Self.sdp, Self.other, subtype: "related").body(of: .sdp) == found)
        #expect(try Self.mixed(Self.sdp, Self.other, subtype: "signed").body(of: .sdp) == found)
        #expect(try Self.mixed(Self.sdp, subtype: "unheard-of").body(of: .sdp) == found)
    }

    @Test func requiredPartsMustBeUnderstood() throws {
        let fault = BodyFault.notUnderstood("text/x-other")
        #expect(throws: fault) { try Self.mixed(Self.sdp, Self.other).body(of: .sdp) }
        #expect(throws: fault) { try Self.mixed(Self.other, Self.sdp, subtype: "related").body(of: .sdp) }
        // A part without a type is plain text.
        #expect(throws: BodyFault.notUnderstood("text/plain")) { try Self.mixed(Self.sdp, "\nhello").body(of: .sdp) }
    }

    @Test func alternativesAreChosen() throws {
        #expect(try Self.mixed(Self.sdp, Self.sdp + "2", subtype: "alternative").body(of: .sdp) == Array("sdp2".utf8))
        #expect(try Self.mixed(Self.sdp, Self.other, subtype: "alternative").body(of: .sdp) == Array("sdp".utf8))
        let none = BodyFault.notUnderstood("multipart/alternative")
        #expect(throws: none) { try Self.mixed(Self.other, subtype: "alternative").body(of: .sdp) }
        let head = "Content-Disposition: session;handling=optional"
        #expect(try Self.mixed(Self.other, subtype: "alternative", head: head).body(of: .sdp) == nil)
        let nested = "Content-Type: multipart/alternative;boundary=n\n\n--n\n\(Self.other)\n--n\n\(Self.sdp)\n--n--"
        #expect(try Self.mixed(Self.optional, nested).body(of: .sdp) == Array("sdp".utf8))
    }

    @Test func unrefusableMessageIsReadAsFarAsPossible() throws {
        let request = try Self.mixed(Self.other, Self.sdp)
        var response = SIPResponse(.ok)
        (response.headers, response.body) = (request.headers, request.body)
        #expect(try response.body(of: .sdp) == Array("sdp".utf8))
        let ack = SIPRequest(.ack, request.uri, headers: request.headers, body: request.body)
        #expect(try ack.body(of: .sdp) == Array("sdp".utf8))
    }

    @Test(.enabled(if: TortureFile.isPresent, "the files of RFC 4475 are not beside the repository"))
    func nestedPartsAreFound() throws {
        let bytes = try #require(TortureFile.all.first { $0.name == "mpart01" }).bytes
        let message = try parse(bytes)
        let body = try MultipartBody(message.body, #require(try message.headers.contentType))
        #expect(body.parts.count == 2)
        #expect(try body.parts.map { try $0.headers.contentType?.name } == ["text/plain", "application/octet-stream"])
    }

    // MARK: Fragments

    @Test(arguments: [
        ("SIP/2.0 100 Trying", 100, "Trying"), ("SIP/2.0 200 OK\r\nContact: <sip:a@b>\r\n", 200, "OK"),
        ("sip/2.0 486 Busy Here\n", 486, "Busy Here"), ("\r\nSIP/2.0 200 OK", 200, "OK"),
        ("SIP/2.0 603\r\n\r\n", 603, ""),
    ])
    func fragmentsAreRead(_ text: String, _ code: Int, _ phrase: String) throws {
        #expect(try SIPFragment(Array(text.utf8)) == SIPFragment(SIPStatus(code), phrase: phrase))
    }

    @Test(arguments: [
        ("", SIPParseError.Kind.empty), ("SIP/2.0 99 x", .statusCode), ("SIP/2.0 700 x", .statusCode),
        ("SIP/3.0 200 x", .version), ("INVITE sip:a@b SIP/2.0", .startLine), ("Contact: <sip:a@b>", .startLine),
        ("SIP/2.0 200 " + String(repeating: "x", count: SIPLimits.line), .tooLong(limit: SIPLimits.line)),
    ])
    func invalidFragmentsAreRejected(_ text: String, _ kind: SIPParseError.Kind) {
        do throws(SIPParseError) {
            _ = try SIPFragment(Array(text.utf8))
            Issue.record("no fault")
        } catch {
            #expect(error.kind == kind)
        }
    }

    @Test func fragmentsAreWritten() throws {
        let fragment = SIPFragment(.ringing)
        #expect(text(fragment.bytes) == "SIP/2.0 180 Ringing\r\n")
        #expect(try SIPFragment(fragment.bytes) == fragment)
        #expect(!text(SIPFragment(.ok, phrase: "a\r\nX: 1").bytes).contains("\nX"))
        #expect(MediaType.sipFragment.text == "message/sipfrag;version=2.0")
    }
}
