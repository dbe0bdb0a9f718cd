/// Sine and cosine of whole steps of a turn, by polynomial: exact phase, no table, no C library.
enum Sine {
    /// The sine of `step` turns divided by `steps`, which is a multiple of four. `step` is 0..<2·steps. Error
    /// below 10⁻⁶.
    /// Inlined, so that the divisions are by constants.
    @inline(__always)
    static func value(_ step: Int, of steps: Int) -> Float {
        let quarter = steps / 4
        let (quadrant, rest) = step.quotientAndRemainder(dividingBy: quarter)
        // Odd quadrants run backwards, the second half of the turn is negative.
        let angle = quarterWave(Float(quadrant & 1 == 0 ? rest : quarter - rest) * (1 / Float(quarter)))
        return quadrant & 2 == 0 ? angle : -angle
    }

    @inline(__always)
    static func cosine(_ step: Int, of steps: Int) -> Float { value(step + steps / 4, of: steps) }

    /// Half a raised cosine: 0 at 0, 1 at `length`, flat at both ends.
    @inline(__always)
    static func edge(_ position: Int, of length: Int) -> Float {
        0.5 - 0.5 * cosine(2 * position, of: 4 * length)
    }

    /// The Taylor series of sin(π/2 · share), share 0...1, up to the eleventh power.
    @inline(__always)
    private static func quarterWave(_ share: Float) -> Float {
        let x = share * (Float.pi / 2)
        let square = x * x
        // Multiplied by reciprocals: the compiler may not turn divisions into that, and they are slow.
        var sum = 1 - square * (1 / 110)
        sum = 1 - square * (1 / 72) * sum
        sum = 1 - square * (1 / 42) * sum
        sum = 1 - square * (1 / 20) * sum
        sum = 1 - square * (1 / 6) * sum
        return x * sum
    }
}
