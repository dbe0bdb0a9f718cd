import Glibc
import PhoneCore
import Testing
import Vault

/// A changed, truncated, foreign or strange file gives an exact error, never a vault.
@Suite struct SealTests {
    /// Goal: no flipped bit of the file goes unnoticed. Method: all of them, one at a time.
    @Test func everyFlippedBitIsDetected() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            _ = try file.addAccount(account("one"))
        }
        var bytes = scratch.read("vault")
        var unnoticed: [Int] = []
        for bit in 0..<bytes.count * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            if unseals(bytes, key) { unnoticed.append(bit) }
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
        #expect(unnoticed.isEmpty)
        #expect(unseals(bytes, key), "the untouched file opens")
        print("vault: \(bytes.count * 8) single flipped bits, all detected: \(unnoticed.isEmpty)")
    }

    /// The same through the disk and the public interface, for the whole header and a sample of the rest.
    @Test func openingRefusesFlippedBits() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
        let bytes = scratch.read("vault")
        for bit in Array(0..<SealedImage.overhead * 8) + Array(stride(from: 0, to: bytes.count * 8, by: 997)) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            scratch.write("vault", changed)
            #expect(openingFails(scratch.vault, key) != nil, "bit \(bit)")
        }
        scratch.write("vault", bytes)
        #expect(openingFails(scratch.vault, key) == nil)
    }

    @Test func errorsNameFault() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
        let bytes = scratch.read("vault")
        func opening(_ change: (inout [UInt8]) -> Void) -> VaultError? {
            var changed = bytes
            change(&changed)
            scratch.write("vault", changed)
            return openingFails(scratch.vault, key)
        }
        #expect(opening { $0[0] ^= 1 } == .notAVault(path: scratch.vault))
        #expect(opening { $0 = [] } == .notAVault(path: scratch.vault))
        #expect(opening { $0 = Array("SQLite format 3\0".utf8) } == .notAVault(path: scratch.vault))
        #expect(opening { $0[11] = 2 } == .newerVersion(found: 2, known: 1))
        #expect(opening { $0[20] ^= 1 } == .wrongKey(path: scratch.vault))
        #expect(opening { $0[500] ^= 1 } == .tampered(path: scratch.vault))
        #expect(opening { $0[$0.count - 1] ^= 1 } == .tampered(path: scratch.vault))
        #expect(opening { $0.append(0) } == .tampered(path: scratch.vault))
        #expect(opening { $0.removeLast() } == .truncated(path: scratch.vault))
        #expect(opening { $0.swapAt(100, 101) } == (bytes[100] == bytes[101] ? nil : .tampered(path: scratch.vault)))
        let huge = 32 << 20
        #expect(unsafe truncate(scratch.vault, huge) == 0)
        guard case .tooLarge(_, huge, _) = openingFails(scratch.vault, key) else {
            Issue.record("a huge file is read into memory")
            return
        }
    }

    @Test func everyTruncationIsDetected() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
        let bytes = scratch.read("vault")
        let unnoticed = (0..<bytes.count).filter { unseals(Array(bytes[..<$0]), key) }
        #expect(unnoticed.isEmpty)
    }

    @Test func otherKeyIsRefused() throws {
        let scratch = try Scratch()
        do { _ = try VaultFile.create(at: scratch.vault, key: scratch.key()) }
        let other = try VaultKey.create(at: scratch.folder + "/other")
        #expect(openingFails(scratch.vault, other) == .wrongKey(path: scratch.vault))
    }

    @Test func filesOfOneVaultNeverShareKeyStream() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let clear = [UInt8](repeating: 0, count: 1_024)
        let first = unsafe clear.withUnsafeBytes { unsafe SealedImage.seal($0, with: key) }
        let second = unsafe clear.withUnsafeBytes { unsafe SealedImage.seal($0, with: key) }
        let same = zip(first[68...], second[68...]).count { $0 == $1 }
        #expect(same < 40, "of 1,040 bytes about 4 agree by chance")
    }

    private func unseals(_ bytes: [UInt8], _ key: VaultKey) -> Bool {
        failure { () throws(VaultError) in _ = try SealedImage.open(bytes, with: key, path: "x") } == nil
    }
}
