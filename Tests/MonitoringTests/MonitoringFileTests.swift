import ControlReference
import Foundation
import Monitoring
import Testing

/// The figures named in `docs/` are the phone's.
@Suite struct MonitoringFileTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    private static func file(_ name: String) throws -> String {
        try String(contentsOf: docs.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("swift run -c release offhook-reference writes the table of docs/metrics.md")
    func metricTableIsUpToDate() throws {
        let page = try Self.file("metrics.md")
        #expect(MetricTable.page(page) == page)
    }

    @Test(arguments: ["alerts.yml", "offhook-dashboard.json"]) func onlyExistingMetricsAreNamed(file: String) throws {
        let names = try Self.file("monitoring/" + file).matches(of: /\b(?:offhook|process)_[a-z_]+\b/).map {
            String($0.0)
        }
        #expect(names.count > 10)
        let series = Set(Metric.allCases.flatMap(Self.series))
        for name in Set(names) { #expect(series.contains(name), "\(file): there is no \(name)") }
    }

    @Test func dashboardIsValid() throws {
        let data = try Data(contentsOf: Self.docs.appendingPathComponent("monitoring/offhook-dashboard.json"))
        let board = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        #expect(board["title"] as? String == "Offhook" && panels.count > 10)
        for panel in panels { #expect((panel["targets"] as? [Any])?.isEmpty == false, "\(panel["title"] ?? "")") }
    }

    private static let promtool = "/usr/bin/promtool"

    /// The rules are read with the configuration that names them.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: promtool), "no promtool"))
    func prometheusAcceptsConfigurationAndRules() throws {
        let configuration = try Self.file("monitoring/prometheus.yml")
            // Prometheus wants to see the file of the token.
            .replacingOccurrences(of: "/etc/prometheus/offhook.token", with: "token")
        let check = try Self.promtool(
            ["check", "config", "prometheus.yml"],
            [
                "token": "ohk_0", "alerts.yml": try Self.file("monitoring/alerts.yml"), "prometheus.yml": configuration,
            ])
        #expect(check.status == 0 && check.words.contains("13 rules found"), "\(check.words)")
    }

    /// Each alert fires for a phone with its fault, and not for a healthy one.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: promtool), "no promtool"))
    func everyAlertFiresForItsFault() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("alerts.test.yml")
        let (rules, tests) = (try Self.file("monitoring/alerts.yml"), try String(contentsOf: here, encoding: .utf8))
        let names = rules.matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(names.count == 13)
        for name in names { #expect(tests.ranges(of: "alertname: \(name)").count >= 2, "\(name)") }
        let run = try Self.promtool(
            ["test", "rules", "alerts.test.yml"], ["alerts.yml": rules, "alerts.test.yml": tests])
        #expect(run.status == 0, "\(run.words)")
        // A rule that never fires is found.
        let asleep = rules.replacingOccurrences(of: "offhook_watchdog_age_seconds > 120", with: "vector(0) > 1")
        let other = try Self.promtool(
            ["test", "rules", "alerts.test.yml"], ["alerts.yml": asleep, "alerts.test.yml": tests])
        #expect(other.status != 0, "\(other.words)")
    }

    /// Runs it in a folder with these files.
    private static func promtool(
        _ words: [String], _ files: [String: String]
    ) throws -> (status: Int32, words: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let (process, output) = (Process(), Foundation.Pipe())
        (process.executableURL, process.arguments) = (URL(fileURLWithPath: promtool), words)
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }

    /// The names of a metric's series.
    private static func series(_ metric: Metric) -> [String] {
        switch metric.reference.kind {
        case .counter, .gauge: [metric.reference.name]
        case .histogram: ["_bucket", "_sum", "_count"].map { metric.reference.name + $0 }
        case .summary: ["_sum", "_count"].map { metric.reference.name + $0 }
        }
    }
}
