import Synchronization
import Testing
import offhook

/// The QR code of a sign-in, for programs.
@Suite struct SignInPictureTests {
    /// The addresses whose codes were made.
    private final class Press: Sendable {
        let made = Mutex<[String]>([])

        func code(_ address: String) -> [String]? {
            made.withLock { $0.append(address) }
            return address.isEmpty ? nil : [address]
        }
    }

    @Test func eachCodeIsMadeOnce() {
        let press = Press()
        let picture = SignInPicture { press.code($0) }
        for address in ["a", "a", "b", "b", "", ""] {
            #expect(picture.rows(address) == (address.isEmpty ? nil : [address]))
        }
        #expect(press.made.withLock { $0 } == ["a", "b", ""], "a missing library is not loaded again and again")
    }

    @Test(.enabled(if: SignInPicture.modules("x") != nil, "needs libqrencode (Scripts/setup test)"))
    func rowsAreModulesWithoutQuietZone() throws {
        let rows = try #require(SignInPicture.modules("https://id.example/device?user_code=WDJB-MJHT"))
        #expect(rows.count == 29 && rows.allSatisfy { $0.count == 29 })
        #expect(rows.prefix(3).map { String($0.prefix(8)) } == ["####### ", "#     # ", "# ### # "])
        #expect(rows.joined().allSatisfy { "# ".contains($0) })
        #expect(SignInPicture.modules(String(repeating: "x", count: 513)) == nil)
    }
}
