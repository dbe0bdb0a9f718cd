import Media
import YAML

/// The ringer, which sounds in addition to the panel's bell. Its keys are in the section `sound`.
struct RingerSection {
    let settings: MediaSettings.Ringer

    /// Nil if no ringer is configured.
    init?(from section: inout YAMLSection) throws(YAMLError) {
        let device = try section.optional("ringer", .text("an ALSA device name", length: 1...128))
        let file = try section.optional("ring", .text("generated, or the path of a WAV file"))
        let files = try section.optional("rings", .table(of: .ringName(), to: .text("a path"), count: 0...8))
        guard let device else {
            for (key, isGiven) in [("ring", file != nil), ("rings", files != nil)] where isGiven {
                throw section.error(key, "needs sound.ringer, the device to play it")
            }
            return nil
        }
        var settings = MediaSettings.Ringer(device: device)
        settings.file = file == "generated" ? nil : file
        settings.files = Dictionary(uniqueKeysWithValues: (files ?? []).map { ($0.key, $0.value) })
        self.settings = settings
    }
}
