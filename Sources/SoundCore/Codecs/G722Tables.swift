/// The quantiser tables of ITU-T G.722 (§6.2).
struct G722Tables: Sendable {
    /// The lower limits of the intervals of the lower band, for a scale of 4,096 [Q6].
    let levels: [Int32] = [
        35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219, 1339,
        1458, 1612, 1765, 1980, 2195, 2557, 2919,
    ]
    /// The values of the six bits of the lower band, for a scale of 32,768 [QM6]. The first four codes are never sent.
    let sixBits: [Int32] = [
        -136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360, -8576,
        -7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688, -1360, -1040,
        -728, 24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456,
        4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136, -432, -136,
    ]
    /// The values of their upper four bits, by which both ends adapt [QM4].
    let fourBits: [Int32] = [
        0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
    ]
    /// How the lower band's scale changes with those four bits [WL by RL42].
    let lowLogSteps: [Int32] = [
        -60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60,
    ]
    /// The values of the two bits of the higher band [QM2], and how they change its scale [WH by RH2].
    let twoBits: [Int32] = [-7408, -1616, 7408, 1616]
    let highLogSteps: [Int32] = [798, -214, 798, -214]
    /// Half of the mirror filter that splits and joins the bands; the other half is the same backwards (table 11).
    let mirror: [Int32] = [3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11]
}
