import Base
import Foundation
import FuzzTargets
import Rig
import Testing
import YAML

import offhook

/// A hostile or damaged configuration is read, or refused with text for a person; nothing else happens.
@Suite struct MutatedConfigurationTests {
    /// Every section, with every kind of value.
    static let whole = """
        board: board.yaml
        log: info
        vault: { file: vault, key: vault.key }
        control: { socket: control.sock }
        sip:
          address: any
          port: 5060
          peers: [192.0.2.7, "2001:db8::7"]
          withhold_number: false
          withhold_prefix: "*67"
          name_servers: ["192.0.2.53"]
          gruu: true
          identities: { office: "200" }
          ask_for_messages: [office]
          trust_from: [office]
          server_withholds: [office]
          session_time: 30 min
          shortest_session_time: 90 s
          tls: { authorities: ca.pem, certificate: own.pem, key: own.key, port: 5061 }
        media: { first_port: 16384, last_port: 17383, codecs: [opus, pcma], packet: 20 ms, complexity: 5 }
        sound:
          country: DE
          period: 10 ms
          handset: { capture: "plughw:1", playback: "plughw:1", mixer: { Speaker: 70 } }
          speaker: { capture: default, playback: default, echo: true, tail: 128 ms }
          ringer: default
          rings: { door: door.wav }
          hold_music: music.wav
        calls:
          maximum: 2
          maximum_length: 5 min
          dial_plan: ["[2-8]XX", "0XXXXXX."]
          emergency: ["112"]
          line_keys: [office]
          speed_dials:
            1: [200, "sip:guard@pbx.example"]
            2: { targets: [300], account: office, hours: [{ days: [mon], from: "08:00", to: "18:00", targets: [201] }] }
          organization_keys: { 3: "42" }
          voicemail: { office: "*97" }
          follow_transfers: true
          transfer_targets: ["2XX"]
          recording: { folder: calls, format: opus, beep: { period: 15 s, pitch: 1400 }, longest: 2 h }
          playing: { folder: sounds }
          rings: { door: [1 s, 2 s] }
          blocked: [withheld, "Mallory"]
          auto_answer: { callers: [200, "door@192.0.2.7"], only_when_asked: false, route: speaker }
        backend:
          url: https://phones.example
          issuer: https://login.example/realm
          client: offhook
          scopes: openid profile
          name: Front desk
          caller_info: true
          authorities: ca.pem
          proxy: "[::1]:3128"
          paths: { device_tokens: /d, token: /t, organizations: /o, switch: /s, credentials: /c, push_registrations: /p }
        caller_info:
          server: mqtt.example
          port: 8883
          device: desk
          topic: "calls/{device}"
          presence: none
          user: desk
          password_file: mqtt
          authorities: ca.pem
          certificate: own.pem
          key: own.key
        paging:
          route: speaker
          groups:
            - { address: 239.255.1.1, port: 5004, label: fire, emergency: true, interrupts_calls: true }
            - { address: "ff05::1", port: 5006, codec: opus, payload_type: 96 }
        network: { timeout: 30 s, reconnect_timeout: 60 s }
        panel: { flash: { shortest: 100 ms, longest: 900 ms }, digit_time: 4 s }
        relays:
          1: { code: "4711#", callers: [200], accounts: [office], directions: [incoming], pulse: 5 s, once: true }
        alarms:
          tamper: { targets: [200, 201], account: office, wait: 1 min, pause: 10 min }
        """

    /// Values from hostile files.
    private static let values = [
        "-1", "99999999999999999999999", "1e400", "[[[[[[[[", "{a: {a: {a: {a: {}}}}}", "~", "&a [*a]", "!!binary x",
        "%n",
        "9223372036854775807 h", "[" + String(repeating: "0, ", count: 5_000) + "0]",
        String(repeating: "\u{301}", count: 9_000), "\"\\u0000\"", "<<: *x",
    ]

    private func read(_ text: [UInt8], _ path: String) throws -> String? {
        try Data(text).write(to: URL(fileURLWithPath: path))
        do throws(YAMLError) {
            _ = try Settings(path: path)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func mutatedConfigurationIsReadOrRefusedWithText() throws {
        let workplace = try Workplace()
        let path = workplace.path + "/offhook.yaml"
        let complaint = try read(Array(Self.whole.utf8), path)
        #expect(complaint == nil, "\(complaint ?? "")")
        let lines = Self.whole.split(separator: "\n").map(String.init)
        var generator = SeededGenerator(seed: 16)
        var refused = 0
        for _ in 0..<1_500 {
            var lines = lines
            if Bool.random(using: &generator), let line = lines.indices.randomElement(using: &generator),
                let colon = lines[line].firstIndex(of: ":"), let value = Self.values.randomElement(using: &generator)
            {
                lines[line] = lines[line][...colon] + " " + value
            }
            let text = Array(lines.joined(separator: "\n").utf8).mutated(using: &generator)
            let complaint = try read(text, path)
            // The list of all errors is empty exactly if the text can be used.
            if let document = try? YAMLDocument(tolerating: text, file: path) {
                let errors = document.errors(reading: Configuration.self)
                #expect(errors.isEmpty == (complaint == nil) && errors.count <= 100, "\(errors)")
                #expect(errors.allSatisfy { "\($0)".utf8.count < 4_096 })
            }
            guard let complaint else { continue }
            refused += 1
            #expect(complaint.hasPrefix(path) && complaint.utf8.count < 4_096, "\(complaint.prefix(200))")
        }
        #expect(refused > 500)
    }
}
