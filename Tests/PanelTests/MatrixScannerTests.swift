import Base
import Panel
import Testing

@Suite("Matrix scanner")
struct MatrixScannerTests {
    /// A matrix without diodes: the crossings that appear closed when these keys are pressed.
    private func image(rows: Int, columns: Int, pressed: Set<Int>) -> MatrixImage {
        var image = MatrixImage(rows: rows, columns: columns)
        for driven in 0..<rows {
            // Wires that are connected with the driven row, by as many rounds as there are wires.
            var reachedRows: Set = [driven]
            var reachedColumns: Set<Int> = []
            for _ in 0..<rows + columns {
                for key in pressed where reachedRows.contains(key / columns) { reachedColumns.insert(key % columns) }
                for key in pressed where reachedColumns.contains(key % columns) { reachedRows.insert(key / columns) }
            }
            for column in reachedColumns { image[driven, column] = true }
        }
        return image
    }

    /// Holds keys down for the given time, and applies the scanner's changes to `down`.
    private func hold(
        _ pressed: Set<Int>, scans: Int, _ scanner: inout MatrixScanner, at time: inout Instant, down: inout Set<Int>
    ) {
        let seen = image(rows: 3, columns: 3, pressed: pressed)
        for _ in 0..<scans {
            for change in scanner.scanned(seen, at: time) {
                let key = change.row * 3 + change.column
                let isNews = change.pressed ? down.insert(key).inserted : down.remove(key) != nil
                #expect(isNews, "told twice")
            }
            time = time + .milliseconds(5)
        }
    }

    @Test("all 512 sets of nine keys give no ghost, and no possible key is missed")
    func all512SetsOfNineKeysGiveNoGhostAndNoPossibleKeyIsMissed() {
        for bits in 0..<512 {
            let pressed = Set((0..<9).filter { bits >> $0 & 1 == 1 })
            var scanner = MatrixScanner(rows: 3, columns: 3, timing: MatrixTiming())
            var (time, down) = (Instant.zero, Set<Int>())
            scanner.wakeUp(at: time)
            hold(pressed, scans: 3, &scanner, at: &time, down: &down)
            let seen = image(rows: 3, columns: 3, pressed: pressed)
            let hasDoubt = (0..<9).contains { seen.isDoubtful(row: $0 / 3, column: $0 % 3) }
            #expect(down.isSubset(of: pressed), "a ghost of \(pressed)")
            if !hasDoubt { #expect(down == pressed) }
            #expect(scanner.isIdle == pressed.isEmpty)
            hold([], scans: 5, &scanner, at: &time, down: &down)
            #expect(down.isEmpty)
            #expect(scanner.isIdle)
        }
    }

    @Test("from any two to any four keys a held key stays, whatever ghosts appear")
    func fromAnyTwoToAnyFourKeysHeldKeyStaysWhateverGhostsAppear() {
        let pairs = (0..<9).flatMap { first in (first + 1..<9).map { Set([first, $0]) } }
        for held in pairs {
            for added in pairs where held.isDisjoint(with: added) {
                var scanner = MatrixScanner(rows: 3, columns: 3, timing: MatrixTiming())
                var (time, down) = (Instant.zero, Set<Int>())
                hold(held, scans: 3, &scanner, at: &time, down: &down)
                hold(held.union(added), scans: 8, &scanner, at: &time, down: &down)
                #expect(down.isSuperset(of: held) && down.isSubset(of: held.union(added)))
                hold(held, scans: 8, &scanner, at: &time, down: &down)
                #expect(down == held)
            }
        }
    }

    @Test("a press is believed after 10 ms and a release after 20 ms; chatter in between is not")
    func pressIsBelievedAfter10MsAndReleaseAfter20Ms() {
        var scanner = MatrixScanner(rows: 1, columns: 1, timing: MatrixTiming())
        var open = MatrixImage(rows: 1, columns: 1)
        var closed = open
        closed[0, 0] = true
        open[0, 0] = false
        scanner.wakeUp(at: .zero)
        // One letter is one scan: c closed, o open. The numbers say in which scan the changes come.
        let signal = "ccococcc" + "ccoocooooo"
        var told: [Int: Bool] = [:]
        for (index, letter) in signal.enumerated() {
            let now = Instant.zero + .milliseconds(5 * index)
            for change in scanner.scanned(letter == "c" ? closed : open, at: now) { told[index] = change.pressed }
        }
        #expect(told == [7: true, 17: false])
        #expect(scanner.isIdle)
        #expect(scanner.deadline == nil)
    }

    @Test("a scan is due at once at the first key, then every 5 ms")
    func scanIsDueAtOnceAtFirstKeyThenEvery5Ms() {
        var scanner = MatrixScanner(rows: 2, columns: 2, timing: MatrixTiming())
        #expect(scanner.deadline == nil)
        let start = Instant.zero + .seconds(3)
        scanner.wakeUp(at: start)
        #expect(scanner.deadline == start)
        var image = MatrixImage(rows: 2, columns: 2)
        image[1, 0] = true
        let changes = scanner.scanned(image, at: start)
        #expect(changes.isEmpty)
        #expect(scanner.deadline == start + .milliseconds(5))
        scanner.wakeUp(at: start + .milliseconds(1))
        #expect(scanner.deadline == start + .milliseconds(5))
    }
}
