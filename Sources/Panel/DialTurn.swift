/// A turn of a dial, as a hand and the dial's governor make it: when its contacts move, from the moment a finger takes it.
struct DialTurn {
    static let speeds = 1...25

    let pulses: Int
    let pulsesPerSecond: Int

    private var period: Duration { .seconds(1) / pulsesPerSecond }
    /// Later than the hand needs to put a dial to rest that was turning, so that both are told apart.
    private var leaves: Duration { .milliseconds(50) }
    /// After the way to the finger stop, which is longer for more pulses.
    private var firstBreak: Duration { leaves + .milliseconds(150) + .milliseconds(40) * pulses }

    /// Break, make, and so on. Each pulse is broken for 63 % of its time.
    var pulseMoves: [Duration] {
        (0..<pulses).flatMap { pulse in
            let start = firstBreak + period * pulse
            return [start, start + period * 63 / 100]
        }
    }

    /// Away from rest, and back again somewhat after the last pulse.
    var offNormalMoves: [Duration] { [leaves, firstBreak + period * pulses + .milliseconds(40)] }
}
