import Base
import Media
import YAML

/// Recording calls to files. Without this section no call can be recorded.
struct RecordingSection: YAMLReadable {
    let settings: RecordingSettings
    /// Whether to encrypt recordings with the vault's key. Otherwise anyone with the file can listen to it.
    let isSealed: Bool

    private static let beep = YAMLShape<RecordingSettings.Beep?>.oneOf(
        word: .choice([("off", RecordingSettings.Beep?.none)]), mapping: YAMLShape.section(BeepSection.self).map(\.beep)
    )

    init(from section: inout YAMLSection) throws(YAMLError) {
        var settings = RecordingSettings(folder: try section.required("folder", .text("a path")))
        settings.format = try section.optional("format", .choice(), usual: settings.format)
        settings.beep = try section.optional("beep", Self.beep, usual: settings.beep)
        settings.longest =
            try section.optional(
                "longest", .duration(in: .seconds(60) ... .seconds(6 * 3_600)), usual: settings.longest)
        isSealed = try section.optional("sealed", .bool(), usual: true)
        self.settings = settings
    }
}

/// The tone that informs all parties that the call is recorded.
private struct BeepSection: YAMLReadable {
    let beep: RecordingSettings.Beep?

    init(from section: inout YAMLSection) throws(YAMLError) {
        var beep = RecordingSettings.Beep()
        beep.period = try section.optional("period", .duration(in: .seconds(2) ... .seconds(300)), usual: beep.period)
        beep.pitch = try section.optional("pitch", .integer(in: 300...3_400), usual: beep.pitch)
        self.beep = beep
    }
}
