/// The times at which a dial's contacts move during one turn. They are counted from when a finger takes the dial, and
/// depend on the person and on the dial's governor.
struct DialTurn {
    static let speeds = 1...25

    let pulses: Int
    let pulsesPerSecond: Int

    private var period: Duration { .seconds(1) / pulsesPerSecond }
    /// The pause before the turn, which separates it from an earlier turn that was cut short.
    private var leaves: Duration { .milliseconds(50) }
    /// The first break follows the way to the finger stop, which is longer for more pulses.
    private var firstBreak: Duration { leaves + .milliseconds(150) + .milliseconds(40) * pulses }

    /// Break, make, and so on. Each pulse is open for 63 % of the period.
    var pulseMoves: [Duration] {
        (0..<pulses).flatMap { pulse in
            let start = firstBreak + period * pulse
            return [start, start + period * 63 / 100]
        }
    }

    /// The dial leaves its rest position, and returns to it shortly after the last pulse.
    var offNormalMoves: [Duration] { [leaves, firstBreak + period * pulses + .milliseconds(40)] }
}
