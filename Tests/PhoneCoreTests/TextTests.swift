import PhoneCore
import Testing

@Suite("Messages for the display")
struct TextTests {
    private static let message = TextMessage(
        account: AccountID(1), number: "+15550100", name: "Ada", text: "the door\nis open")
    private static let sender = Caller(number: "+15550100", displayName: "Ada", account: AccountID(1))

    @Test func messageIsReported() {
        var bench = Bench()
        bench.line(.text(Self.sender, Self.message.text))
        #expect(bench.log == [.control(.notice(.textReceived(Self.message)))])
    }

    @Test func contactNameComesFirst() {
        var bench = Bench()
        bench.post(.vault(.contacts([Sample.contact])))
        bench.line(.text(Self.sender, Self.message.text))
        var message = Self.message
        message.name = Sample.contact.name
        #expect(bench.noticed(.textReceived(message)))
    }

    @Test func blockedSenderIsIgnored() {
        var policy = Sample.policy
        policy.blocked = ["+15550100"]
        for blockedBy in ["policy", "contact"] {
            var bench = Bench(policy: blockedBy == "policy" ? policy : Sample.policy)
            bench.post(
                .vault(.contacts([Contact(name: "Ada", number: "+15550100", isBlocked: blockedBy == "contact")])))
            bench.line(.text(Self.sender, Self.message.text))
            #expect(!bench.log.contains { if case .control(.notice(.textReceived)) = $0 { true } else { false } })
        }
    }
}
