import Base
import Media
import SoundCore
import Testing

/// Echo with loudspeaker and microphone on two devices, from the played to the sent samples, in simulated time.
@Suite(.enabled(if: SpokenWords.canSpeak, "needs espeak-ng and sox (Scripts/setup test)"))
struct EchoClockTests {
    private static let seconds = 20

    /// The echo after the microphone's converter, on its own clock.
    private static func capture(_ echo: [Int16], share: Double) -> [Int16] {
        var resampler = FractionalResampler()
        resampler.set(correction: share)
        var output = [Int16](repeating: 0, count: echo.count)
        var span = output.mutableSpan
        let place = resampler.run(echo.span, into: &span, from: 0).place
        return Array(output[..<(place / 480 * 480)])
    }

    /// - Parameter stall: once, half way, the loudspeaker is silent for so many samples, and the device reports it.
    private static func clean(_ heard: [Int16], _ played: [Int16], share: Double, stall: Int = 0) -> [Int16] {
        var reference = EchoReference(quantum: 480)
        var processing = VoiceProcessingSettings()
        processing.cancelsEcho = true
        let processor = VoiceProcessor(processing)
        var (output, written): ([Int16], Int) = ([], 0)
        for start in stride(from: 0, to: heard.count, by: 480) {
            let isLater = stall > 0 && start >= heard.count / 2
            let now = Int((Double(start + 480) * (1 + share)).rounded()) - (isLater ? stall : 0)
            while written < now + 960, written + 480 <= played.count {
                reference.write(played.span.extracting(written..<written + 480))
                written += 480
            }
            var fitting = [Int16](repeating: 0, count: 480)
            var fittingSpan = fitting.mutableSpan
            let isKnown = reference.read(into: &fittingSpan, .init(samples: written - now, breaks: isLater ? 1 : 0))
            var part = Array(heard[start..<start + 480])
            var span = part.mutableSpan
            #expect(isKnown)
            processor.clean(&span, beside: fitting.span)
            output += part
        }
        return output
    }

    @Test(arguments: [0, 20, 100, 500])
    func echoIsCancelledAcrossTwoDevices(partsPerMillion: Int) throws {
        let share = Double(partsPerMillion) / 1_000_000
        let played = try SpokenWords.recorded.get().lecture(seconds: Self.seconds)
        let heard = Self.capture(SimulatedRoom.mix(SimulatedRoom(seed: 1).echo(of: played)), share: share)
        let output = Self.clean(heard, played, share: share)
        let losses = [2..<6.0, 6..<12, 12..<19].map { ProcessorRun.tenths(ProcessorRun.loss(heard, output, $0)) }
        print("echo return loss, clocks \(partsPerMillion) ppm apart: \(losses) dB")
        #expect(losses[2] > 30)
    }

    /// After an underrun the reference is at its old place, and the learned filter is still valid.
    @Test(arguments: [700, 2_400, 9_600])
    func underrunKeepsEchoFilter(samples: Int) throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: Self.seconds)
        let echo = SimulatedRoom.mix(SimulatedRoom(seed: 1).echo(of: played))
        let half = echo.count / 960 * 480
        let heard = Array(echo[..<half]) + [Int16](repeating: 0, count: samples) + echo[half...]
        let whole = Array(heard.prefix(half * 2))
        let output = Self.clean(whole, played, share: 0, stall: samples)
        let loss = ProcessorRun.loss(whole, output, 10.5..<12.5)
        print("after an underrun of \(samples / 48) ms: \(ProcessorRun.tenths(loss)) dB")
        #expect(loss > 30)
    }
}
