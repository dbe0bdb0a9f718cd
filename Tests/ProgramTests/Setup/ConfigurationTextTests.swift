import Testing
import offhook

/// An edit of a configuration keeps the person's text around it.
@Suite struct ConfigurationTextTests {
    private static let file = """
        # My phone
        board: board.yaml   # on the wall

        sound:
          # A headset from the shop
          handset:
            capture: plughw:CARD=Old
            playback: plughw:CARD=Old
            mixer: {Speaker: 80}
          country: DE
        # The end

        """

    @Test func onlyLineOfKeyChanges() throws {
        var text = ConfigurationText(Self.file)
        try text.set(["sound", "handset", "capture"], to: "plughw:CARD=New")
        #expect(text.text == Self.file.replacing("capture: plughw:CARD=Old", with: "capture: plughw:CARD=New"))
    }

    /// A Windows editor writes a byte order mark and CRLF.
    @Test func windowsTextIsEdited() throws {
        var text = ConfigurationText("\u{FEFF}" + Self.file.replacing("\n", with: "\r\n"))
        #expect(text.text.hasPrefix("\u{FEFF}"), "other lines stay unchanged")
        try text.set(["sound", "handset", "capture"], to: "plughw:CARD=New")
        #expect(text.text == Self.file.replacing("capture: plughw:CARD=Old", with: "capture: plughw:CARD=New"))
        var marked = ConfigurationText("\u{FEFF}board: a.yaml\n")
        try marked.set(["board"], to: "b.yaml")
        #expect(marked.text == "board: b.yaml\n")
    }

    @Test func missingKeyIsInsertedAfterNeighbours() throws {
        var text = ConfigurationText(Self.file)
        try text.set(["sound", "ringer"], to: "hw:1")
        try text.set(["sip", "tls", "authorities"], to: "ca.pem")
        #expect(
            text.text
                == Self.file.replacing("  country: DE\n", with: "  country: DE\n  ringer: \"hw:1\"\n")
                .replacing("\"hw:1\"", with: "hw:1") + "sip:\n  tls:\n    authorities: ca.pem\n")
    }

    @Test func sectionInBracesIsExpanded() throws {
        var text = ConfigurationText("sip: {port: 5070, peers: [10.0.0.1, \"10.0.0.2\"]}  # mine\n")
        try text.set(["sip", "tls", "pins", "my office"], to: "x")
        #expect(
            text.text == """
                sip:
                  port: 5070
                  peers: [10.0.0.1, "10.0.0.2"]
                  tls:
                    pins:
                      "my office": x

                """)
    }

    @Test func keyIsRemovedWithItsChildren() throws {
        var text = ConfigurationText(Self.file)
        try text.remove(["sound", "handset"])
        try text.remove(["sip", "port"])
        #expect(
            text.text == """
                # My phone
                board: board.yaml   # on the wall

                sound:
                  # A headset from the shop
                  country: DE
                # The end

                """)
    }

    /// Flow mappings over several lines are legal YAML, but not supported by the editor.
    @Test func unsupportedTextIsNotChanged() throws {
        var text = ConfigurationText("sip: {port: 5070,\n  gruu: true}\n")
        #expect(throws: ConfigurationText.Failure.unreadable(line: 1, key: "sip")) {
            try text.set(["sip", "address"], to: "any")
        }
        #expect(text.text == "sip: {port: 5070,\n  gruu: true}\n")
    }

    @Test func onlySelectedSectionsAreKept() {
        var text = ConfigurationText("board: b\nsound:\n  country: DE\n\n# Calls\ncalls: {maximum: 1}\n")
        text.keep(["sound"])
        #expect(text.text == "sound:\n  country: DE\n\n# Calls\n")
    }

    @Test func diffWorksWithPatch() {
        let old = (1...12).map { "line \($0)\n" }.joined()
        let new = old.replacing("line 2\n", with: "line two\n").replacing("line 12\n", with: "line 12\nline 13\n")
        #expect(
            UnifiedDiff.lines(from: old, to: new, path: "f") == [
                "--- f", "+++ f", "@@ -1,5 +1,5 @@", " line 1", "-line 2", "+line two", " line 3", " line 4", " line 5",
                "@@ -10,3 +10,4 @@", " line 10", " line 11", " line 12", "+line 13",
            ])
        #expect(
            UnifiedDiff.lines(from: nil, to: "a\n", path: "f") == ["--- /dev/null", "+++ f", "@@ -0,0 +1,1 @@", "+a"])
        #expect(UnifiedDiff.lines(from: old, to: old, path: "f").isEmpty)
    }
}
