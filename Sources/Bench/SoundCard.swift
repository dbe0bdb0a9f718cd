/// A sound card made of two files, under a name that ALSA knows: what it plays is read in `ear`, what is written to
/// `mouth` it records.
public struct SoundCard: Equatable, Sendable {
    /// ALSA's name of the device.
    public let name: String
    public let ear: String
    public let mouth: String
    /// The file to name in ALSA_CONFIG_PATH.
    public let configuration: String

    /// - Parameter library: The path of `libasound_module_pcm_wire.so`.
    public init(name: String, folder: String, library: String) throws(TextFile.Failure) {
        self.name = name
        ear = "\(folder)/\(name).ear"
        mouth = "\(folder)/\(name).mouth"
        configuration = "\(folder)/asound.conf"
        try TextFile.write(
            """
            </usr/share/alsa/alsa.conf>
            pcm_type.wire { lib "\(library)" }
            pcm.\(name) { type plug slave.pcm { type wire playback "\(ear)" capture "\(mouth)" } }

            """, to: configuration)
    }
}
