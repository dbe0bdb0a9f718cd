import Programs
import Testing

/// The part of a program's output that reaches the log.
@Suite struct OutputLinesTests {
    @Test func linesAreReadHoweverTheyArrive() {
        var lines = OutputLines()
        #expect(lines.push("on".utf8) == [] && lines.push("e\n\ntwo\nthr".utf8) == ["one", "two"])
        #expect(lines.finish() == "thr" && lines.finish() == nil)
    }

    @Test func logIsNotFlooded() {
        var lines = OutputLines()
        let long = String(repeating: "x", count: 100_000)
        #expect(lines.push((long + "\n").utf8) == [String(long.prefix(OutputLines.longestLine)) + " …"])
        let more = lines.push(String(repeating: "y\n", count: 100_000).utf8)
        #expect(more.count == OutputLines.mostLines - 1 && more.last == "y …")
        #expect(lines.push("z".utf8) == [] && lines.finish() == nil)
    }
}
