import RTPCore
import Testing

@Suite
struct ExpectedLossTests {
    private func percents(_ reports: [UInt8]) -> [Int] {
        var loss = ExpectedLoss()
        return reports.map { fraction in
            loss.learn(fractionLost: fraction)
            return loss.percent
        }
    }

    @Test
    func higherLossIsBelievedAtOnce() { #expect(percents([0, 13, 51, 255]) == [0, 5, 19, 99]) }

    @Test
    func lowerLossIsBelievedSlowly() { #expect(percents([13, 0, 0, 0, 0, 0]) == [5, 3, 2, 1, 0, 0]) }

    @Test
    func fewPacketsInThousandsCountAsNone() { #expect(percents([1, 2, 2]) == [0, 0, 0]) }

    @Test
    func estimateStaysAboveReportedLoss() { #expect(percents([128, 26, 26, 26, 26, 26, 26, 26]).last == 10) }
}

@Suite
struct LossResponseTests {
    @Test(arguments: [
        (0, LossResponse.none), (1, .repair), (5, .repair), (24, .repair), (25, .relieve), (100, .relieve),
    ])
    func lossDecidesResponse(percent: Int, response: LossResponse) {
        #expect(LossResponse(expecting: percent) == response)
    }
}
