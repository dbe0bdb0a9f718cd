import SIPCore
import Testing

/// Dialogs that are named in headers, and headers that are part of URIs.
@Suite struct ReplacesTests {
    private static let ours = Dialog.ID(callID: "98asj@host", localTag: "us", remoteTag: "them")

    @Test func receiverIsToTag() throws {
        var headers = SIPHeaders()
        headers.append(.replaces, "98asj@host ; from-tag=them ;TO-TAG=us;early-only;x=y")
        let replaces = try #require(try headers.replaces)
        #expect(replaces == Replaces(callID: "98asj@host", toTag: "us", fromTag: "them", isEarlyOnly: true))
        #expect(replaces.names(Self.ours))
        #expect(!replaces.names(Dialog.ID(callID: "98asj@host", localTag: "them", remoteTag: "us")))
        #expect(!replaces.names(Dialog.ID(callID: "other", localTag: "us", remoteTag: "them")))
        #expect(replaces.text == "98asj@host;to-tag=us;from-tag=them;early-only")
        // Our header for a peer names the dialog as the peer sees it.
        let theirs = Dialog.ID(callID: "98asj@host", localTag: "them", remoteTag: "us")
        #expect(Replaces(Self.ours).names(theirs))
    }

    @Test func peerWithoutTagIsZero() throws {
        let old = Dialog.ID(callID: "c", localTag: "us", remoteTag: "")
        #expect(Replaces(old).text == "c;to-tag=0;from-tag=us")
        #expect(try Replaces("c;to-tag=us;from-tag=0").names(old))
    }

    @Test(arguments: [
        ("", SIPParseError.Kind.token), (";to-tag=a;from-tag=b", .token), ("c;to-tag=a", .missing),
        ("c;from-tag=a", .missing), ("c;to-tag=a;to-tag=b;from-tag=c", .repeated), ("c;to-tag;from-tag=b", .token),
        (#"c;to-tag="a b";from-tag=c"#, .token), ("c d;to-tag=a;from-tag=b", .missing),
        ("c;to-tag=a;from-tag=b, d", .trailing),
    ])
    func faultsAreReported(_ text: String, _ kind: SIPParseError.Kind) {
        do throws(SIPParseError) {
            _ = try Replaces(text)
            Issue.record("no fault")
        } catch {
            #expect(error.kind == kind)
        }
    }

    @Test func uriCarriesReplaces() throws {
        var uri = SIPURI(user: "x", host: "y")
        let replaces = Replaces(callID: "425928@b[1]", toTag: "7743", fromTag: "6472")
        uri.setHeader(.replaces, replaces.text)
        #expect(uri.text == "sip:x@y?Replaces=425928%40b[1]%3Bto-tag%3D7743%3Bfrom-tag%3D6472")
        #expect(try URI(uri.text).sip?.replaces == replaces)
        // In angle brackets it survives a Refer-To.
        #expect(try NameAddress(NameAddress(.sip(uri)).text).uri.sip?.replaces == replaces)
    }

    @Test func headersInURIAreFoundByName() throws {
        var uri = try #require(try URI("sip:a@b?to=alice%40example.com&Subject=a%26b%3Dc&x&s=second").sip)
        #expect(uri.header(.to) == "alice@example.com")
        #expect(uri.header(.subject) == "a&b=c")
        #expect(uri.header(SIPHeaderName("X"))?.isEmpty == true)
        #expect(uri.header(.replaces) == nil)
        #expect(try uri.replaces == nil)
        uri.setHeader(.subject, "é&")
        #expect(uri.text == "sip:a@b?to=alice%40example.com&x&Subject=%C3%A9%26")
        for name in [SIPHeaderName.to, .subject, SIPHeaderName("x")] { uri.setHeader(name, nil) }
        #expect(uri.text == "sip:a@b")
    }

    @Test func invalidHeadersInURIAreNamed() throws {
        let uri = try #require(try URI("sip:a@b?Replaces=1%0D%0AEvil:%201").sip)
        #expect(throws: SIPParseError(.missing, at: 1, in: .replaces)) { try uri.replaces }
    }

    @Test func targetDialogsAreRead() throws {
        var headers = SIPHeaders()
        headers.append(.targetDialog, "98asj@host;local-tag=us;remote-tag=them")
        let target = try #require(try headers.targetDialog)
        #expect(target.names(Self.ours))
        #expect(!target.names(Dialog.ID(callID: "98asj@host", localTag: "us", remoteTag: "else")))
        #expect(target.text == "98asj@host;local-tag=us;remote-tag=them")
        // A header from the writer's own view is accepted, too.
        #expect(try TargetDialog("98asj@host;local-tag=them;remote-tag=us").names(Self.ours))
        #expect(TargetDialog(Self.ours).localTag == "them")
        #expect(throws: SIPParseError.self) { try TargetDialog("a;local-tag=b") }
    }
}
