import Base
import PhoneCore

/// What the owners of the phones let far ends do, in worlds where somebody wants more.
enum Rights {
    /// The codes of all doors: the enemy knows them, and so have the rules about who may dial them to hold.
    static let codes = ["1234", "2580"]
    /// Nobody's code.
    static let wrongCode = "1235"
    /// Where somebody else has the same numbers.
    static let otherDomain = "elsewhere.example"

    static func grant(to policy: inout PhonePolicy, phones: Int, _ dice: inout Dice) {
        for number in UInt8(1)...2 {
            var code = RelayCode(symbols(dice.pick(codes)), callers: callers(phones, &dice))
            if dice.chance(.codeIsForAnotherAccount) { code.accounts = [AccountID(7)] }
            if dice.chance(.codeHasDirections) { code.directions = [.incoming, .outgoing] }
            policy.relays[number] = RelayPolicy(code: code, pulse: .seconds(2), once: dice.chance(.relayWorksOnce))
        }
        policy.autoAnswer.callers = dice.chance(.answersByItself) ? callers(phones, &dice) : []
        policy.autoAnswer.onlyWhenAsked = dice.chance(.answersOnlyWhenAsked)
        if dice.chance(.followsNoTransfers) { policy.followsTransfers = false }
        if dice.chance(.listsNoTransferTargets) { policy.transferTargets = nil }
    }

    /// One phone, mostly the one that the enemy likes to be, and now and then somebody of another domain.
    private static func callers(_ phones: Int, _ dice: inout Dice) -> [ListedCaller] {
        let own = ListedCaller(
            SimulatedPhone.number(dice.chance(.listsTheFirstPhone) ? 0 : dice.int(in: 0...phones - 1)))
        return dice.chance(.listsAnotherDomain) ? [own, ListedCaller("100", domain: otherDomain)] : [own]
    }

    static func symbols(_ digits: String) -> [DTMFSymbol] { digits.compactMap { DTMFSymbol($0) } }
}
