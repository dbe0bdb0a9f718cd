import SIPCore
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One message of RFC 4475, and its outcome here.
struct TortureFile: CustomTestStringConvertible, Sendable {
    enum Outcome: Equatable, Sendable {
        case valid
        /// No message: the parser has a reason.
        case unreadable(SIPParseError.Kind)
        /// A message with a fault: validation names it, and the header.
        case invalid(SIPParseError.Kind, SIPHeaderName?)
    }

    let name: String
    let section: String
    let outcome: Outcome
    /// The transaction layer's automatic response.
    let answer: Int?

    init(_ name: String, _ section: String, _ outcome: Outcome, answer: Int? = nil) {
        (self.name, self.section, self.outcome, self.answer) = (name, section, outcome, answer)
    }

    var testDescription: String { "§\(section) \(name)" }

    var bytes: [UInt8] {
        // The file of baddn lacks the blank line that the RFC's text has.
        Self.read(Self.folder + name + ".dat") + (name == "baddn" ? [13, 10] : [])
    }

    static let folder: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/shared/testdata/rfc4475/"
    }()

    static let isPresent = !read(folder + "wsinv.dat").isEmpty

    static func read(_ path: String) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var byte = unsafe fgetc(file)
        while byte >= 0 {
            bytes.append(UInt8(byte))
            byte = unsafe fgetc(file)
        }
        return bytes
    }
}

extension TortureFile {
    static let all = wellFormed + malformed + others

    static let wellFormed: [TortureFile] = [
        TortureFile("wsinv", "3.1.1.1", .valid),
        TortureFile("intmeth", "3.1.1.2", .valid),
        TortureFile("esc01", "3.1.1.3", .valid),
        TortureFile("escnull", "3.1.1.4", .valid),
        TortureFile("esc02", "3.1.1.5", .valid),
        TortureFile("lwsdisp", "3.1.1.6", .valid),
        TortureFile("longreq", "3.1.1.7", .valid),
        TortureFile("dblreq", "3.1.1.8", .valid),
        TortureFile("semiuri", "3.1.1.9", .valid),
        TortureFile("transports", "3.1.1.10", .valid),
        TortureFile("mpart01", "3.1.1.11", .valid),
        TortureFile("unreason", "3.1.1.12", .valid),
        TortureFile("noreason", "3.1.1.13", .valid),
    ]

    static let malformed: [TortureFile] = [
        // Deviation: only the first hop is read, without its parameters that cannot be read.
        TortureFile("badinv01", "3.1.2.1", .valid),
        TortureFile("clerr", "3.1.2.2", .unreadable(.bodyTruncated(announced: 9999, present: 154)), answer: 400),
        TortureFile("ncl", "3.1.2.3", .unreadable(.number(maximum: 2_147_483_647)), answer: 400),
        TortureFile("scalar02", "3.1.2.4", .invalid(.number(maximum: 2_147_483_647), .cSeq), answer: 400),
        TortureFile("scalarlg", "3.1.2.5", .invalid(.number(maximum: 2_147_483_647), .cSeq)),
        // The section allows a terminating quote to be inferred if there is one address only.
        TortureFile("quotbal", "3.1.2.6", .valid),
        TortureFile("ltgtruri", "3.1.2.7", .unreadable(.scheme), answer: 400),
        TortureFile("lwsruri", "3.1.2.8", .unreadable(.uriParameter), answer: 400),
        TortureFile("lwsstart", "3.1.2.9", .unreadable(.startLine), answer: 400),
        TortureFile("trws", "3.1.2.10", .unreadable(.startLine), answer: 400),
        TortureFile("escruri", "3.1.2.11", .invalid(.headersInURI, nil), answer: 400),
        // Deviation: Date is never read, so a Date in a wrong zone stops no call.
        TortureFile("baddate", "3.1.2.12", .valid),
        // Deviation: a phone is no registrar. The Contact of a REGISTER plays no part in its 405.
        TortureFile("regbadct", "3.1.2.13", .valid),
        // These two sections allow the spaces to be ignored, and the missing quotes to be inferred.
        TortureFile("badaspec", "3.1.2.14", .valid),
        TortureFile("baddn", "3.1.2.15", .valid),
        TortureFile("badvers", "3.1.2.16", .unreadable(.version)),
        TortureFile("mismatch01", "3.1.2.17", .invalid(.methodMismatch, .cSeq), answer: 400),
        TortureFile("mismatch02", "3.1.2.18", .invalid(.methodMismatch, .cSeq), answer: 400),
        TortureFile("bigcode", "3.1.2.19", .unreadable(.statusCode)),
    ]

    static let others: [TortureFile] = [
        // A branch that is only the cookie: its transaction is found as RFC 2543 did.
        TortureFile("badbranch", "3.2.1", .valid),
        // No From, To or Call-ID: a response cannot be made.
        TortureFile("insuf", "3.3.1", .invalid(.missing, .from)),
        // The user of the layer answers unsupported requests 416, 420, 415 or 401.
        TortureFile("unkscm", "3.3.2", .valid),
        TortureFile("novelsc", "3.3.3", .valid),
        TortureFile("unksm2", "3.3.4", .valid),
        TortureFile("bext01", "3.3.5", .valid),
        TortureFile("invut", "3.3.6", .valid),
        TortureFile("regaut01", "3.3.7", .valid),
        TortureFile("multi01", "3.3.8", .invalid(.repeated, .from), answer: 400),
        TortureFile("mcl01", "3.3.9", .unreadable(.repeated), answer: 400),
        TortureFile("bcast", "3.3.10", .valid),
        TortureFile("zeromf", "3.3.11", .valid),
        TortureFile("cparam01", "3.3.12", .valid),
        TortureFile("cparam02", "3.3.13", .valid),
        TortureFile("regescrt", "3.3.14", .valid),
        TortureFile("sdp01", "3.3.15", .valid),
        TortureFile("inv2543", "3.4.1", .valid),
    ]
}
