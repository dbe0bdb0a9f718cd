import Foundation
import Media
import Testing
import offhook

/// The ringer in the configuration.
@Suite struct RingerSectionTests {
    /// - Returns: the settings for Media, and the folder of relative paths.
    private static func read(_ words: String, calls: String = "{}") throws -> (MediaSettings.Ringer?, folder: String) {
        let folder = FileManager.default.temporaryDirectory.path
        let path = folder + "/offhook-ringer-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sound = "{ handset: { capture: in, playback: out }\(words) }"
        let text = "board: board.yaml\nsound: \(sound)\ncalls: \(calls)\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return (try Settings(path: path).media.ringer, folder)
    }

    private static func complaint(_ words: String, calls: String = "{}") -> String {
        do { return "nothing wrong with \(try read(words, calls: calls))" } catch { return "\(error)" }
    }

    @Test func defaultHasNoRinger() throws {
        #expect(try Self.read("").0 == nil)
    }

    @Test(arguments: [", ringer: loud", ", ringer: loud, ring: generated"])
    func usualRingIsGenerated(words: String) throws {
        #expect(try Self.read(words).0 == MediaSettings.Ringer(device: "loud"))
    }

    @Test func ringsMayBeFiles() throws {
        let (ringer, folder) = try Self.read(
            ", ringer: loud, ring: rings/bell.wav, rings: { door: /srv/door.wav }",
            calls: "{ rings: { door: [1 s, 1 s] } }")
        var expected = MediaSettings.Ringer(device: "loud")
        expected.file = folder + "/rings/bell.wav"
        expected.files = ["door": "/srv/door.wav"]
        #expect(ringer == expected)
    }

    @Test func inaudibleRingIsRefused() {
        #expect(Self.complaint(", ring: bell.wav").contains("needs sound.ringer"))
        #expect(Self.complaint(", rings: { door: door.wav }").contains("needs sound.ringer"))
        #expect(
            Self.complaint(", ringer: loud, rings: { door: door.wav }").contains("no ring \"door\" in calls.rings"))
    }
}
