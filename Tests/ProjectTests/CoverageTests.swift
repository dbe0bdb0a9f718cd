import Foundation
import Testing

/// Every file and test that `docs/dev/spec-coverage.md` names exists, and every claim names one.
@Suite struct CoverageTests {
    private struct Row {
        let rule: String
        let reach: String
        let decided: String
        let shown: String
    }

    private static func page() throws -> String {
        let path = Project.root.appendingPathComponent("docs/dev/spec-coverage.md")
        return try String(contentsOf: path, encoding: .utf8)
    }

    private static func rows() throws -> [Row] {
        let text = try Self.page()
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 6, cells[1] != "rule", !cells[1].hasPrefix("---") else { return nil }
            return Row(rule: cells[1], reach: cells[2], decided: cells[3], shown: cells[4])
        }
    }

    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
    }

    @Test func everyFileNamedExists() throws {
        let rows = try Self.rows()
        #expect(rows.count > 80)
        for row in rows {
            let files = Self.quoted(row.decided)
            #expect(!files.isEmpty || row.decided == "nowhere", "\(row.rule): decided nowhere?")
            for file in files {
                let path = Project.root.appendingPathComponent(file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(row.rule): there is no \(file)")
            }
        }
    }

    @Test func everyTestNamedExists() throws {
        let tests = try DeclaredTests()
        for row in try Self.rows() {
            let names = Self.quoted(row.shown)
            #expect(!names.isEmpty || row.shown.hasPrefix("not shown: "), "\(row.rule): no test, and no word of it")
            for name in names {
                let parts = name.split(separator: ".")
                let exists = tests.contains(parts[0], parts.count == 1 ? nil : parts[1])
                #expect(exists, "\(row.rule): there is no test \(name)")
            }
        }
    }

    @Test func whatIsDecidedNowhereIsNotClaimed() throws {
        for row in try Self.rows() where row.decided == "nowhere" {
            #expect(row.shown.hasPrefix("not shown: ") && row.reach == "missing", "\(row.rule)")
        }
    }

    /// A row that claims a wire or a running program names a test outside the cores.
    @Test func everyReachIsThatOfItsTests() throws {
        let tests = try DeclaredTests()
        for row in try Self.rows() {
            switch row.reach {
            case "wire", "program":
                let modules = Self.quoted(row.shown).flatMap { name in
                    let parts = name.split(separator: ".")
                    return tests.modules(of: parts[0], parts.count == 1 ? nil : parts[1])
                }
                #expect(modules.contains { !$0.hasSuffix("CoreTests") }, "\(row.rule): all its tests are of cores")
            default: #expect(["core only", "missing"].contains(row.reach), "\(row.rule): \(row.reach)")
            }
        }
    }

    @Test(arguments: 2...15) func everyChapterIsThere(_ number: Int) throws {
        // §1 defines words.
        #expect(try !Self.chapter(number).isEmpty)
    }

    /// The names of §11, as the specification has them; of contacts it asks for a list, adding, changing, removing,
    /// import and export.
    private static let methods = """
        connect disconnect reconnect call answer decline hangup setMute toggleMute setHold toggleHold setRoute setSpeaker \
        toggleSpeaker sendDTMF transfer consult conference park pickup getDeviceId getPushToken getNetworkStatus \
        getConnectionState getPendingIncomingCall getSnapshot getHistory clearMissedCalls getContacts addContact \
        changeContact removeContact importContacts exportContacts setDoNotDisturb switchOrganization signIn signOut \
        startRecording stopRecording pressKey liftHook replaceHook
        """
    private static let events = """
        connected disconnected clientReady error incomingCall callDisplayUpdated callStarted callRinging callConnecting \
        callAnswered callHeld callResumed callReconnecting callReconnected callEnded callFailed missedCall \
        answeredElsewhere muteStateChanged speakerStateChanged audioRouteChanged dtmfReceived networkStatusChanged \
        networkTransition networkTimeout callQualityUpdated callDurationUpdated organizationSwitching \
        organizationSwitched organizationSwitchFailed messagesWaiting signInCode signedIn signedOut credentialsRenewed \
        credentialsExpiring panelChanged
        """

    /// Every method and event of §11 is in a row, and the interface describes every method.
    @Test func everyMethodAndEventIsInARow() throws {
        let chapter = try Self.chapter(11)
        let reference = try String(
            contentsOf: Project.root.appendingPathComponent("docs/openrpc.json"), encoding: .utf8)
        for (kind, names) in [("methods", Self.methods), ("events", Self.events)] {
            for name in names.split(separator: " ") {
                let row = chapter.first { $0.hasPrefix("| \(kind) ") && $0.contains("`\(name)`") }
                #expect(row != nil, "\(name)")
                guard row?.contains("| nowhere |") == false else { continue }
                #expect(reference.contains("\"name\":\"\(name)\""), "\(name) is not described")
            }
        }
    }

    /// The lines of a chapter's tables.
    private static func chapter(_ number: Int) throws -> [Substring] {
        let text = try Self.page()
        let lines = text.split(separator: "\n")
        guard let start = lines.firstIndex(where: { $0.hasPrefix("## \(number). ") }) else { return [] }
        return lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
    }
}
