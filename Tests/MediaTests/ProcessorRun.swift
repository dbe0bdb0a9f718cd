import Media
import SoundCore

/// A processor in simulated time: quanta in, quanta out, with a reference as in an engine with ideal devices.
struct ProcessorRun {
    /// The delay of samples through a processor with quanta of 10 ms: plain, and enhanced.
    static let plainDelay = 480
    static let delay = 480 + VoiceProcessor.frame

    private let processor: VoiceProcessor
    private let quantum: Int

    init(_ processing: VoiceProcessingSettings, quantum: Int = 480) {
        processor = VoiceProcessor(processing)
        self.quantum = quantum
    }

    /// - Parameters:
    /// - heard: whole quanta are used.
    /// - played: the loudspeaker's sound at the same time; nil: unknown.
    func clean(_ heard: [Int16], beside played: [Int16]?) -> [Int16] {
        var output: [Int16] = []
        // The reference is ahead of the microphone by the engine's offset.
        let ahead = played.map { Array($0.dropFirst(EchoReference.lead)) + [Int16](repeating: 0, count: 192) }
        for start in stride(from: 0, to: heard.count - quantum + 1, by: quantum) {
            var part = Array(heard[start..<start + quantum])
            var span = part.mutableSpan
            if let ahead {
                let reference = Array(ahead[start..<start + quantum])
                processor.clean(&span, beside: reference.span)
            } else {
                processor.clean(&span, beside: nil)
            }
            output += part
        }
        return output
    }

    func rest() { processor.rest() }

    /// How many decibels a stretch of seconds is quieter than at the microphone.
    static func loss(
        _ heard: [Int16], _ output: [Int16], _ seconds: Range<Double>, delay: Int = delay
    ) -> Double {
        let range = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
        let late = range.lowerBound + delay..<min(output.count, range.upperBound + delay)
        return Level(of: heard.span.extracting(range)).rms - Level(of: output.span.extracting(late)).rms
    }

    static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
