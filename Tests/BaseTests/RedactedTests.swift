import Base
import Testing

@Suite struct RedactedTests {
    private struct Account { let user = "alice"; let password = Redacted("hunter2") }

    @Test func noPrintedFormShowsSecret() {
        let account = Account()
        var dumped = ""
        dump(account, to: &dumped)
        for text in ["\(account)", String(reflecting: account), "\(account.password)", dumped] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
        #expect(account.password.reveal() == "hunter2")
    }
}
