import Foundation
import Media
import PhoneCore
import Testing
import offhook

/// The processing of each route's microphone in the configuration.
@Suite struct SoundSectionTests {
    private static func processing(_ route: Route, _ words: String = "") throws -> VoiceProcessingSettings? {
        let path = FileManager.default.temporaryDirectory.path + "/offhook-sound-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let routes = [Route.handset, .speaker, .headset, .bluetooth].map { name in
            "  \(name.rawValue): { capture: in, playback: out\(name == route ? words : "") }\n"
        }
        try "board: board.yaml\nsound:\n\(routes.joined())".write(toFile: path, atomically: true, encoding: .utf8)
        return try Settings(path: path).media.devices[route]?.processing
    }

    @Test(arguments: Route.allCases) func onlySpeakerIsProcessedByDefault(route: Route) throws {
        #expect(try Self.processing(route) == (route == .speaker ? .everything : VoiceProcessingSettings()))
    }

    @Test(arguments: Route.allCases) func eachProcessingStepIsSwitchedSeparately(route: Route) throws {
        var expected = VoiceProcessingSettings()
        (expected.cancelsEcho, expected.tailMilliseconds) = (true, 256)
        #expect(
            try Self.processing(route, ", echo: true, noise: false, gain: false, tail: 256 ms") == expected)
        #expect(
            try Self.processing(route, ", echo: false, noise: false, gain: false")?.tailMilliseconds
                == VoiceProcessingSettings().tailMilliseconds)
        expected = VoiceProcessingSettings()
        (expected.suppressesNoise, expected.levelsGain) = (true, true)
        #expect(try Self.processing(route, ", echo: false, noise: true, gain: true") == expected)
    }

    @Test(arguments: ["tail: 31 ms", "tail: 257 ms", "echo: maybe", "gain: 3"])
    func otherWordsAreRefused(words: String) {
        #expect(throws: (any Error).self) { try Self.processing(.speaker, ", " + words) }
    }
}
