import ControlReference
import Foundation
import Monitoring
import Testing

/// What `docs/` says of the figures is what the phone tells.
@Suite struct MonitoringFileTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    private static func file(_ name: String) throws -> String {
        try String(contentsOf: docs.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("swift run -c release offhook-reference writes the table of docs/metrics.md")
    func theTableIsUpToDate() throws {
        let page = try Self.file("metrics.md")
        #expect(MetricTable.page(page) == page)
    }

    @Test(arguments: ["alerts.yml", "offhook-dashboard.json"]) func onlyMetricsThatExistAreNamed(file: String) throws {
        let names = try Self.file("monitoring/" + file).matches(of: /\b(?:offhook|process)_[a-z_]+\b/).map {
            String($0.0)
        }
        #expect(names.count > 10)
        let series = Set(Metric.allCases.flatMap(Self.series))
        for name in Set(names) { #expect(series.contains(name), "\(file): there is no \(name)") }
    }

    @Test func theDashboardIsOne() throws {
        let data = try Data(contentsOf: Self.docs.appendingPathComponent("monitoring/offhook-dashboard.json"))
        let board = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        #expect(board["title"] as? String == "Offhook" && panels.count > 10)
        for panel in panels { #expect((panel["targets"] as? [Any])?.isEmpty == false, "\(panel["title"] ?? "")") }
    }

    private static let promtool = "/usr/bin/promtool"

    /// The rules are read with the configuration that names them.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: promtool), "no promtool"))
    func prometheusTakesTheConfigurationAndTheRules() throws {
        // Prometheus wants to see the file of the token.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = folder.path + "/token"
        for (name, text) in [
            ("token", "ohk_0"), ("alerts.yml", try Self.file("monitoring/alerts.yml")),
            (
                "prometheus.yml",
                try Self.file("monitoring/prometheus.yml")
                    .replacingOccurrences(of: "/etc/prometheus/offhook.token", with: token)
            ),
        ] { try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.promtool)
        process.arguments = ["check", "config", folder.path + "/prometheus.yml"]
        let output = Foundation.Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && words.contains("13 rules found"), "\(words)")
    }

    /// The names of a metric's series.
    private static func series(_ metric: Metric) -> [String] {
        switch metric.reference.kind {
        case .counter, .gauge: [metric.rawValue]
        case .histogram: ["_bucket", "_sum", "_count"].map { metric.rawValue + $0 }
        case .summary: ["_sum", "_count"].map { metric.rawValue + $0 }
        }
    }
}
