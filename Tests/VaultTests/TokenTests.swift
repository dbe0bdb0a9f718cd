import Base
import Cryptography
import PhoneCore
import Testing
import Vault

/// Tokens for the control interface over HTTP.
@Suite struct TokenTests {
    @Test func tokenIsRandomAndOnlyItsDigestIsStored() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let (one, two) = (try file.addToken(label: "one", .call), try file.addToken(label: "two", .observe))
        let texts = [one.reveal(), two.reveal()]
        #expect(texts[0] != texts[1])
        for text in texts { #expect(text.wholeMatch(of: /ohk_[A-Za-z0-9_-]{43}/) != nil, "256 bits") }
        let kept = try file.tokens()
        #expect(kept.map(\.label) == ["one", "two"] && kept.map(\.scope) == [.call, .observe])
        #expect(kept.map(\.digest) == texts.map { Digest.sha256(Array($0.utf8)) })
    }

    @Test func tokensOutliveProgramUntilRemoved() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            for scope in AccessScope.allCases { _ = try file.addToken(label: scope.rawValue, scope) }
        }
        var file = try VaultFile.open(scratch.vault, key: key)
        let (isRemoved, isRemovedAgain) = (try file.removeToken(label: "call"), try file.removeToken(label: "call"))
        #expect(isRemoved && !isRemovedAgain)
        let labels = try file.tokens().map(\.label)
        #expect(labels == ["observe", "configure"])
    }

    @Test func labelIsShortAndNamesOneToken() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        _ = try file.addToken(label: "panel", .observe)
        for label in ["panel", "", "a\nb", String(repeating: "l", count: 257)] {
            #expect(throws: VaultError.self) { _ = try file.addToken(label: label, .configure) }
        }
        let scopes = try file.tokens().map(\.scope)
        #expect(scopes == [.observe])
    }

    @Test func tokensAreLimited() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        for number in 0..<VaultFile.tokensMaximum { _ = try file.addToken(label: "\(number)", .observe) }
        #expect(throws: VaultError.limitReached(what: "tokens", limit: VaultFile.tokensMaximum)) {
            _ = try file.addToken(label: "one more", .observe)
        }
    }
}
