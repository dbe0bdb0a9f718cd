import HTTPClient
import Testing

@Suite struct ResponseReaderTests {
    private func read(_ lines: String..., body: [UInt8] = []) -> ResponseReader {
        var reader = ResponseReader(limit: 1_000)
        for line in lines { _ = reader.takeLine(Array((line + "\r\n").utf8)) }
        _ = reader.takeBody(body)
        return reader
    }

    @Test func headersAreRead() {
        let reader = read(
            "HTTP/1.1 200 OK", "ETag: \"a\"", "content-type:application/json  ", "Retry-After: 7",
            "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Location: /x", "", body: [1, 2])
        #expect(
            reader.response(status: 200)
                == HTTPResponse(
                    status: 200, body: [1, 2], etag: "\"a\"", retryAfter: .seconds(7), contentType: "application/json",
                    date: "Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(reader.location == "/x")
    }

    @Test func headersOfAnInterimAnswerDoNotCount() {
        let reader = read("HTTP/1.1 103 Early Hints", "ETag: \"a\"", "Location: /x", "", "HTTP/1.1 200 OK", "")
        #expect(reader.response(status: 200) == HTTPResponse(status: 200) && reader.location == nil)
    }

    @Test func firstOfSeveralHeadersCounts() {
        #expect(read("HTTP/1.1 307 X", "Location: /x", "Location: /y", "").location == "/x")
        var reader = read("HTTP/1.1 200 OK", "ETag: \"a\"", "", body: [1])
        // A trailer.
        _ = reader.takeLine(Array("Content-Type: text/evil\r\n".utf8))
        #expect(reader.response(status: 200).contentType == nil)
    }

    @Test func controlCharactersAreNotPassedOn() {
        #expect(read("HTTP/1.1 200 OK", "ETag: \u{1B}[2J", "Location: /\u{7F}").location == nil)
        #expect(read("HTTP/1.1 200 OK", "ETag: \u{1B}[2J").response(status: 200).etag == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:07 GMT", 0), ("0", 0), ("90", 90),
        ("99999999999999999999", 86_400), ("Mon, 06 Nov 2034 08:49:47 GMT", 86_400),
    ])
    func retryAfterIsATimeOrSeconds(_ text: String, _ seconds: Int) {
        let reader = read("HTTP/1.1 503 X", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: \(text)")
        #expect(reader.response(status: 503).retryAfter == .seconds(seconds))
    }

    @Test(arguments: ["-1", "1.5", "soon", "Sunday, 06-Nov-94 08:49:37 GMT"]) func wrongRetryAfterIsIgnored(
        _ text: String
    ) {
        #expect(read("HTTP/1.1 503 X", "Retry-After: \(text)").response(status: 503).retryAfter == nil)
    }

    @Test func bodyIsLimited() {
        var reader = ResponseReader(limit: 3)
        let takes = [reader.takeBody([1, 2, 3]), reader.takeBody([4]), reader.takeBody([])]
        #expect(takes == [true, false, false] && reader.failure == .tooLarge)
        #expect(reader.response(status: 200).body == [1, 2, 3])
        var compressed = ResponseReader(limit: 3)
        let counts = [compressed.checkReceived(3), compressed.checkReceived(4)]
        #expect(counts == [true, false] && compressed.failure == .tooLarge)
    }

    /// Interim answers count, too.
    @Test(arguments: ["X: y", "HTTP/1.1 100 Continue"]) func linesOfTheHeadAreLimited(_ line: String) {
        var reader = ResponseReader(limit: 3)
        let takes = (0...ResponseReader.mostLines).map { _ in reader.takeLine(Array(line.utf8)) }
        #expect(takes == Array(repeating: true, count: ResponseReader.mostLines) + [false])
        #expect(reader.failure == .tooLarge)
    }

    @Test func bytesOfTheHeadAreLimited() {
        var reader = ResponseReader(limit: 3)
        let takes = [reader.takeLine([UInt8](repeating: 65, count: ResponseReader.longestHead)), reader.takeLine([65])]
        #expect(takes == [true, false] && reader.failure == .tooLarge)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Sat, 28 Nov 2026 06:40:19 GMT", 1_795_848_019),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
    func dateIsRead(_ text: String, _ seconds: Int64) { #expect(HTTPDate.seconds(text) == seconds) }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun Nov  6 08:49:37 1994 ABCDE",
        "Sun, 06 Nov 1894 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08-49-37 GMT",
    ])
    func wrongDateIsRefused(_ text: String) { #expect(HTTPDate.seconds(text) == nil) }
}
