import Foundation
import Testing
import offhook

/// Hold music in the configuration.
@Suite struct HoldMusicSectionTests {
    private static func read(_ words: String) throws -> (settings: Settings, folder: String) {
        let folder = FileManager.default.temporaryDirectory.path
        let path = folder + "/offhook-music-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = "board: board.yaml\nsound: { handset: { capture: in, playback: out }\(words) }\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return (try Settings(path: path), folder)
    }

    @Test func defaultPlaysNoHoldMusic() throws {
        let (settings, _) = try Self.read("")
        #expect(settings.media.holdMusic == nil)
        #expect(try !settings.policy(accounts: AccountLabels([]), keys: []).playsHoldMusic)
    }

    @Test func configuredFileIsPlayed() throws {
        let (settings, folder) = try Self.read(", hold_music: sounds/music.wav")
        #expect(settings.media.holdMusic == folder + "/sounds/music.wav")
        #expect(try settings.policy(accounts: AccountLabels([]), keys: []).playsHoldMusic)
    }
}
