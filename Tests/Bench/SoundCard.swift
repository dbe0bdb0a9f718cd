/// A sound card made of two files, under a name that ALSA knows. Its playback appears in `ear`; it records the content
/// of `mouth`. Beside it is a playback-only one, for a phone's ringer.
public struct SoundCard: Equatable, Sendable {
    /// ALSA's name of the device.
    public let name: String
    public let ear: String
    public let mouth: String
    /// The output of a ringer of the name `ringerName(of:)`.
    public let ringer: String
    /// The prefix of the names of files that break the card: Tests/Wire/wire.c.
    public let fault: String
    /// The file to name in ALSA_CONFIG_PATH.
    public let configuration: String

    public static func ringerName(of name: String) -> String { name + "_ringer" }

    /// - Parameter library: The path of `libasound_module_pcm_wire.so`.
    public init(name: String, folder: String, library: String) throws(TextFile.Failure) {
        self.name = name
        ear = "\(folder)/\(name).ear"
        mouth = "\(folder)/\(name).mouth"
        ringer = "\(folder)/\(name).ringer"
        fault = "\(folder)/\(name).fault"
        configuration = "\(folder)/asound.conf"
        try TextFile.write(
            """
            </usr/share/alsa/alsa.conf>
            pcm_type.wire { lib "\(library)" }
            pcm.\(name) {
                type plug slave.pcm { type wire playback "\(ear)" capture "\(mouth)" fault "\(fault)" }
            }
            pcm.\(Self.ringerName(of: name)) { type plug slave.pcm { type wire playback "\(ringer)" } }

            """, to: configuration)
    }
}
