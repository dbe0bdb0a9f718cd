import Bench
import Control
import Foundation
import HostStalls
import Rig
import Testing

/// The figures of running phones in Prometheus's format.
@Suite(.serialized, .stallsForgiven) struct MetricsTests {
    private static func has(_ program: String) -> Bool { FileManager.default.fileExists(atPath: "/usr/bin/" + program) }
    private static let port = 26_480

    private func samples(of phone: RigPhone) throws -> [String: Double] {
        let page = try phone.ask("getMetrics")["text"]?.string ?? ""
        return page.split(separator: "\n").filter { !$0.hasPrefix("#") }.reduce(into: [:]) { samples, line in
            guard let blank = line.lastIndex(of: " ") else { return }
            samples[String(line[..<blank])] = Double(line[line.index(after: blank)...])
        }
    }

    @Test(.limit(minutesEachTime: 2)) func callChangesFigures() throws {
        let pair = try PhonePair()
        try pair.establish()
        try pair.alice.wait(for: "callQualityUpdated", upTo: .seconds(15)) {
            $0.fields["quality"]?["mos"]?.double != nil
        }
        #expect(try samples(of: pair.alice)["offhook_calls_current"] == 1)
        try pair.bob.ask("hangup")
        try pair.alice.wait(for: "callEnded")
        try pair.bob.wait(for: "callEnded")
        let (alice, bob) = (try samples(of: pair.alice), try samples(of: pair.bob))
        #expect(alice[#"offhook_calls_total{direction="outgoing",result="answered"}"#] == 1)
        #expect(alice[#"offhook_call_ends_total{reason="hungUpThere"}"#] == 1)
        #expect(bob[#"offhook_calls_total{direction="incoming",result="answered"}"#] == 1)
        #expect(bob["offhook_call_announce_seconds_count"] == 1 && bob["offhook_call_answer_seconds_count"] == 1)
        #expect(alice["offhook_voice_mos_count"] ?? 0 >= 1)
        #expect(alice[#"offhook_media_packets_total{direction="received"}"#] ?? 0 > 10)
        #expect(alice[#"offhook_registration_state{account="desk",state="notNeeded"}"#] == 1)
        for name in ["offhook_control_loop_wakeups_total", "process_cpu_seconds_total", "offhook_ready_seconds"] {
            #expect(alice[name] ?? 0 > 0, "\(name)")
        }
        // A phone of a few megabytes.
        let (resident, anonymous) = (alice["process_resident_memory_bytes"], alice["offhook_memory_anonymous_bytes"])
        #expect((resident ?? 0) > (anonymous ?? 0) && (anonymous ?? 0) > 100_000, "\(alice)")
        #expect(alice["offhook_vault_write_seconds_count"] ?? 0 > 0)
        #expect(alice["offhook_vault_write_failures_total"] == 0)
        #expect(alice["offhook_watchdog_age_seconds"] ?? 100 < 60)
        #expect(alice["offhook_control_connections"] == 1)
    }

    /// A real Prometheus reads a real phone, with a real token.
    @Test(.enabled(if: has("prometheus") && has("promtool"), "no prometheus"), .limit(minutesEachTime: 1))
    func prometheusReadsThePhone() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_440, firstMediaPort: 26_540))
        let configuration = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        let socket = "  socket: control.sock\n"
        #expect(configuration.contains(socket))
        try TextFile.write(
            configuration.replacingOccurrences(of: socket, with: socket + "  http: {port: \(Self.port)}\n"),
            to: folder.configuration)
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)

        let page = workplace.path + "/page"
        try TextFile.write(try phone.ask("getMetrics")["text"]?.string ?? "", to: page)
        let checked = try Command(program: ["sh", "-c", "promtool check metrics < '\(page)'"], in: workplace)
        #expect(checked.exit == .status(0) && checked.output.isEmpty, "\(checked)")

        let added = try phone.ask("addToken", ["label": "prometheus", "scope": "observe"])
        try TextFile.write(try #require(added["token"]?.string), to: workplace.path + "/token")
        let prometheus = try startPrometheus(in: workplace)
        let asked = ContinuousClock.now
        var answer = ""
        while ContinuousClock.now < asked + .seconds(30), prometheus.poll() == nil {
            answer = try Command(
                program: [
                    "promtool", "query", "instant", "http://127.0.0.1:\(Self.port + 1)",
                    #"offhook_build_info{job="offhook"}"#,
                ], in: workplace
            ).output
            if answer.contains("=> 1 @") { break }
            usleep(100_000)
        }
        #expect(answer.contains(#"version=""#) && answer.contains("=> 1 @"), "\(answer)")
        #expect(prometheus.stop(within: .seconds(10)).exit == .status(0))
        #expect(phone.process.stop().exit == .status(0))
    }

    /// Starts Prometheus with the documentation's configuration, except for places and times.
    private func startPrometheus(in workplace: Workplace) throws -> ChildProcess {
        let documents = Workplace.root + "/docs/monitoring/"
        var text = try String(contentsOfFile: documents + "prometheus.yml", encoding: .utf8)
        for (old, new) in [
            ("/etc/prometheus/offhook.token", workplace.path + "/token"), ("127.0.0.1:8088", "127.0.0.1:\(Self.port)"),
            ("scrape_interval: 15s", "scrape_interval: 1s"), ("evaluation_interval: 15s", "evaluation_interval: 1s"),
        ] {
            #expect(text.contains(old), "\(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        try TextFile.write(text, to: workplace.path + "/prometheus.yml")
        try TextFile.write(
            String(contentsOfFile: documents + "alerts.yml", encoding: .utf8), to: workplace.path + "/alerts.yml")
        return try ChildProcess(
            [
                "prometheus", "--config.file=\(workplace.path)/prometheus.yml",
                "--storage.tsdb.path=\(workplace.path)/data", "--web.listen-address=127.0.0.1:\(Self.port + 1)",
            ], log: workplace.path + "/prometheus.log")
    }
}
