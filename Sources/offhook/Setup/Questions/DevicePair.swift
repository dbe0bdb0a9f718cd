/// The ALSA devices of a route, as in an answer: one for both directions, or `CAPTURE | PLAYBACK`.
struct DevicePair: Equatable {
    let capture: String
    let playback: String

    init(_ text: String) {
        let parts = text.split(separator: "|", maxSplits: 1).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        capture = parts.first ?? ""
        playback = parts.last ?? ""
    }

    init(capture: String, playback: String) { (self.capture, self.playback) = (capture, playback) }

    var text: String { capture == playback ? capture : "\(capture) | \(playback)" }

    /// Whether both have a valid length for a configuration.
    var isPlausible: Bool { [capture, playback].allSatisfy { (1...128).contains($0.utf8.count) } }
}
