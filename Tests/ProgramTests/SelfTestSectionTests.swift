import Foundation
import PhoneCore
import Testing
import offhook

/// The test of microphone and loudspeaker in the configuration.
@Suite struct SelfTestSectionTests {
    private static func policy(_ test: String, devices: [String] = ["handset", "speaker"]) throws -> SoundTestPolicy? {
        let sound = devices.map { "  \($0): { capture: in, playback: out }\n" }.joined()
        let settings = try Settings("board: board.yaml\nsound:\n\(sound)\(test)\n", path: "/phone/offhook.yaml")
        return try settings.policy(accounts: AccountLabels([]), keys: []).soundTest
    }

    @Test func withoutSectionTestRunsOnRequestOnly() throws {
        #expect(try Self.policy("") == nil)
    }

    @Test func sectionSetsTimeAndRoute() throws {
        #expect(try Self.policy("  self_test: { every: 1 d }") == SoundTestPolicy(every: .seconds(86_400)))
        let atNight = SoundTestPolicy(
            route: .headset, every: .seconds(3_600), hours: .init(from: 23 * 60 + 30, to: 5 * 60))
        let text = "  self_test: { route: headset, every: 1 h, from: 23:30, to: 05:00 }"
        #expect(try Self.policy(text, devices: ["handset", "headset"]) == atNight)
    }

    static let mistakes: [(text: String, message: String)] = [
        ("  self_test: {}", "sound.self_test: missing key \"every\""),
        ("  self_test: { every: 1 s }", "sound.self_test.every: expected"),
        ("  self_test: { every: 1 d, route: handset }", "route: a handset in its cradle cannot hear its own earpiece"),
        ("  self_test: { every: 1 d, route: headset }", "route: sound.headset is missing"),
        ("  self_test: { every: 1 d, from: 02:00 }", "from and to must be given together"),
        ("  self_test: { every: 1 d, from: 25:00, to: 02:00 }", "expected a time of day such as 08:30"),
    ]

    @Test(arguments: mistakes) func mistakesAreReported(text: String, message: String) {
        #expect {
            _ = try Self.policy(text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }
}
