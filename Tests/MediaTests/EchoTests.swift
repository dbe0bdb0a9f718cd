import Glibc
import Media
import SoundCore
import Testing

/// The echo of a simulated room. Each figure is printed; `docs/dev/performance.md` has them in a table.
@Suite(.enabled(if: SpokenWords.canSpeak, "needs espeak-ng and sox (Scripts/setup test)"))
struct EchoTests {
    private static func echoOnly(tail: Int = 128) -> VoiceProcessingSettings {
        var processing = VoiceProcessingSettings()
        (processing.cancelsEcho, processing.tailMilliseconds) = (true, tail)
        return processing
    }

    /// The goal: 30 dB after two seconds of the far end's voice. The figure of a quiet room's noise is beside it.
    @Test(arguments: [(1, 480), (2, 480), (3, 480), (1, 240)])
    func speechTrainsCancellerInTwoSeconds(seed: UInt64, quantum: Int) throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 8)
        let heard = SimulatedRoom.mix(
            SimulatedRoom(seed: seed).echo(of: played), SimulatedRoom.noise(played.count, deviation: 3, seed: seed))
        let run = ProcessorRun(Self.echoOnly(), quantum: quantum)
        let output = run.clean(heard, beside: played)
        let delay = ProcessorRun.plainDelay + (480 - quantum) / 2 + VoiceProcessor.frame
        let losses = [0..<1.0, 1..<2, 2..<3, 3..<4, 2..<7.5].map {
            ProcessorRun.tenths(ProcessorRun.loss(heard, output, $0, delay: delay))
        }
        print("echo return loss, room \(seed), quanta of \(quantum / 48) ms: \(losses) dB")
        #expect(losses[4] >= 30)
    }

    /// Rooms with longer or shorter echoes than the filter.
    @Test(arguments: [(32, 30), (64, 60), (128, 150), (256, 150), (256, 300), (32, 150)])
    func filterLengthFitsRooms(tail: Int, reverberation: Int) throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 8)
        let heard = SimulatedRoom.mix(SimulatedRoom(reverberation: reverberation, seed: 5).echo(of: played))
        let run = ProcessorRun(Self.echoOnly(tail: tail))
        let output = run.clean(heard, beside: played)
        let loss = ProcessorRun.loss(heard, output, 4..<7.5)
        print("tail \(tail) ms in a room of \(reverberation) ms: \(ProcessorRun.tenths(loss)) dB")
        #expect(loss >= (tail * 2 >= reverberation ? 30 : 12))
    }

    /// A changed room is learned again, and the filter outlives a call.
    @Test func roomIsLearnedAndRemembered() throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 8)
        let (one, other) = (SimulatedRoom(seed: 1).echo(of: played), SimulatedRoom(seed: 2).echo(of: played))
        let run = ProcessorRun(Self.echoOnly())
        _ = run.clean(SimulatedRoom.mix(one), beside: played)
        run.rest()
        let again = SimulatedRoom.mix(one)
        let remembered = ProcessorRun.loss(again, run.clean(again, beside: played), 0.5..<2)
        let moved = SimulatedRoom.mix(other)
        let relearned = ProcessorRun.loss(moved, run.clean(moved, beside: played), 4..<7.5)
        print("from the first word of the next call: \(remembered) dB; in another room: \(relearned) dB")
        #expect(remembered >= 30)
        #expect(relearned >= 30)
    }

    @Test func longMuteLeavesNoEchoAfterwards() throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 6)
        let heard = SimulatedRoom.mix(SimulatedRoom(seed: 3).echo(of: played))
        let silence = [Int16](repeating: 0, count: 4 * 48_000)
        let run = ProcessorRun(Self.echoOnly())
        _ = run.clean(heard, beside: played)
        // On hold both ends are silent, and nothing is played.
        _ = run.clean(silence, beside: silence)
        let loss = ProcessorRun.loss(heard, run.clean(heard, beside: played), 0.5..<5)
        #expect(loss >= 30)
    }

    /// After extreme sounds: full scale, alternating signs, steps, silence.
    @Test(arguments: 0..<4)
    func extremeLevelsAreSurvived(kind: Int) throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 6)
        let heard = SimulatedRoom.mix(SimulatedRoom(seed: 4).echo(of: played))
        let absurd: [Int16] = (0..<2 * 48_000).map { place in
            switch kind {
            case 0: .max
            case 1: place % 2 == 0 ? .max : .min
            case 2: place / 24 % 2 == 0 ? .max : .min
            default: Int16(truncatingIfNeeded: place &* 40_503)
            }
        }
        let run = ProcessorRun(Self.echoOnly())
        for (loud, other) in [(absurd, played), (heard, absurd), (absurd, absurd)] {
            _ = run.clean(Array(loud.prefix(absurd.count)), beside: Array(other.prefix(absurd.count)))
        }
        let loss = ProcessorRun.loss(heard, run.clean(heard, beside: played), 3..<5.5)
        print("after absurd sound \(kind): \(ProcessorRun.tenths(loss)) dB")
        #expect(loss >= 20)
    }

    /// A room with longer echo than the filter, and a distorting loudspeaker: the rest stays as quiet as without gain.
    @Test(arguments: [5, 6] as [UInt64]) func gainDoesNotRaiseEcho(seed: UInt64) throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 12)
        let room = SimulatedRoom(reverberation: 400, delay: 12, spacing: 16, seed: seed)
        let heard = SimulatedRoom.mix(
            room.echo(of: SimulatedRoom.distorted(played)),
            SimulatedRoom.noise(played.count, deviation: 3, seed: seed))
        var processing = VoiceProcessingSettings.everything
        let losses = [true, false].map { levels -> [Double] in
            processing.levelsGain = levels
            let output = ProcessorRun(processing).clean(heard, beside: played)
            return [3..<6.0, 6..<9, 9..<11.5].map {
                ProcessorRun.tenths(ProcessorRun.loss(heard, output, $0))
            }
        }
        print("echo return loss with gain, room \(seed): \(losses[0]) dB; without: \(losses[1]) dB")
        #expect(zip(losses[0], losses[1]).allSatisfy { $0 >= $1 - 2 })
    }

    /// A person who speaks here after the far end spoke alone is as loud as before.
    @Test func gainReturnsWhenFarEndIsSilent() throws {
        let words = try SpokenWords.recorded.get()
        let far = words.lecture(seconds: 8)
        let said = words.alice.map { Int16($0 / 8) } + words.alice.map { Int16($0 / 8) }
        let silence = [Int16](repeating: 0, count: far.count)
        let room = SimulatedRoom(reverberation: 200, spacing: 8, seed: 7)
        var processing = VoiceProcessingSettings()
        (processing.cancelsEcho, processing.levelsGain) = (true, true)
        let levels = [true, false].map { speaks -> Double in
            let played = (speaks ? far : silence) + [Int16](repeating: 0, count: said.count)
            let heard = SimulatedRoom.mix(room.echo(of: played), (silence + said).map(Float.init))
            let output = ProcessorRun(processing).clean(heard, beside: played)
            let seconds = Double(far.count + said.count / 2) / 48_000..<Double(heard.count) / 48_000 - 0.2
            return -ProcessorRun.loss(heard, output, seconds)
        }
        print("a quiet voice is raised by \(levels[0]) dB after the far end spoke, else by \(levels[1]) dB")
        #expect(levels[1] > 6 && abs(levels[0] - levels[1]) < 2)
    }

    /// The expected cost: processor time per second of call.
    @Test(arguments: [32, 128, 256])
    func cancellerHasBoundedCost(tail: Int) throws {
        let played = try SpokenWords.recorded.get().lecture(seconds: 10)
        var all = VoiceProcessingSettings.everything
        all.tailMilliseconds = tail
        let run = ProcessorRun(all)
        let start = clock()
        _ = run.clean(played, beside: played)
        let spent = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        print("cleaning a second of sound, tail \(tail) ms: \(ProcessorRun.tenths(spent * 100)) ms of processor time")
        #expect(spent < 5, "half of one processor")
    }
}
