import Base
import Testing

@Suite struct SecretBytesTests {
    @Test func secretsCompareByBytesAndPrintNothing() {
        let secret = SecretBytes([0xC0, 0xFF, 0xEE])
        var bytes: [UInt8] = [0xC0, 0xFF, 0xEE]
        #expect(SecretBytes(taking: &bytes) == secret && bytes.isEmpty)
        #expect(secret != SecretBytes([0xC0, 0xFF]) && Set([secret, secret]).count == 1)
        #expect(unsafe secret.withBytes { unsafe Array($0) } == [0xC0, 0xFF, 0xEE] && secret.count == 3)
        var text = ""
        dump(secret, to: &text)
        text += "\(secret) \(String(reflecting: secret)) \([secret])"
        for piece in ["192", "255", "238", "c0", "ee"] { #expect(!text.lowercased().contains(piece), "\(text)") }
        #expect(text.contains("redacted"))
    }

    /// Goal: the bytes are in memory once, however many copies there are, and nowhere after the last copy is gone.
    /// Method: all of the process's memory is searched for them.
    @Test func lastCopyWipesSecret() throws {
        var generator = SeededGenerator(seed: 0x5EC2E7)
        var place = 0
        // A disguised form, so the pattern is not in memory itself.
        let disguised = (0..<46).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        var secret: SecretBytes? = SecretBytes(count: disguised.count) {
            defer { place += 1 }
            return disguised[place] ^ 0x5A
        }
        var copies = Array(repeating: secret, count: 3)
        #expect(try MemorySearch.places(of: disguised, disguise: 0x5A) == 1)
        #expect(copies[2] == secret)
        secret = nil
        #expect(try MemorySearch.places(of: disguised, disguise: 0x5A) == 1)
        // Without this, a compiler may release them after their last use, which is above.
        withExtendedLifetime(copies) {}
        copies = []
        #expect(try MemorySearch.places(of: disguised, disguise: 0x5A) == 0)
    }

    @Test func sourceOfMovedSecretIsWiped() {
        var bytes = (0..<46).map { UInt8($0) }
        let secret = SecretBytes(taking: &bytes)
        #expect(bytes.isEmpty && secret.count == 46)
    }
}
