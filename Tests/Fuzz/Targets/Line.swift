import Base
import LineCore
import SIPCore

extension LineMachine {
    /// A deterministic line: its random numbers repeat, and its hashes are placeholders.
    init(fuzzed configuration: LineConfiguration) {
        var seed: UInt64 = 0
        self.init(
            configuration: configuration,
            makeGenerator: {
                seed += 1
                return SeededGenerator(seed: seed)
            },
            hashes: DigestHashes(
                md5: { Array($0.prefix(16)) }, sha256: { Array($0.prefix(32)) }, sha512256: { Array($0.prefix(32)) }))
    }
}

extension LineConfiguration.Account {
    static let fuzzed = Self(
        domain: "example.org", server: NextHop(host: "192.0.2.1"), password: Redacted("secret"))
}
