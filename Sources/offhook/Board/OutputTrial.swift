import Panel
import PhoneCore

/// One trial of `offhook board test`: the output, its pattern, and the question about it.
package struct OutputTrial: Equatable, Sendable {
    /// The output's name in the summary.
    package let name: String
    package let on: PanelEffect
    package let off: PanelEffect
    /// How long the output is on; nil: until the question is answered.
    package let time: Duration?
    package let question: String
    /// The question before the trial, if the output may act on the world.
    package let consent: String?

    /// All trials of a board, in the order of its file.
    /// - Parameter relays: Whether to try relays.
    package static func all(of panel: PanelLayout, relays: Bool) -> [OutputTrial] {
        let lamps = panel.lamps.flatMap { lamp, _ in Self.looks.map { Self.lamp(lamp, $0.pattern, $0.words) } }
        let count = relays ? panel.relays.count : 0
        return lamps + (panel.bell == nil ? [] : [bell]) + (0..<count).map { relay(UInt8($0 + 1)) }
    }

    private static let looks: [(pattern: LampPattern, words: String)] = [
        (.on, "on, without blinking"), (.slowBlink, "blink once a second"), (.fastBlink, "blink four times a second"),
        (.flutter, "flash twice each second"),
    ]

    private static func lamp(_ lamp: Lamp, _ pattern: LampPattern, _ words: String) -> OutputTrial {
        let isStill = pattern == .on
        return OutputTrial(
            name: "lamp \(lamp.rawValue): \(words)", on: .lamp(lamp, pattern), off: .lamp(lamp, .off), time: nil,
            question: "Lamp \(lamp.rawValue): \(isStill ? "is it" : "does it") \(words)?", consent: nil)
    }

    private static let bell = OutputTrial(
        name: "bell", on: .bell(RingCadence([.milliseconds(400), .milliseconds(200)])), off: .bell(nil),
        time: .seconds(2), question: "Bell: did it ring for two seconds?", consent: nil)

    private static func relay(_ number: UInt8) -> OutputTrial {
        OutputTrial(
            name: "relay \(number)", on: .relay(number, on: true), off: .relay(number, on: false), time: .seconds(1),
            question: "Relay \(number): did it switch on and off?",
            consent: "Relay \(number): switch it on for a second? It may open a door.")
    }
}
