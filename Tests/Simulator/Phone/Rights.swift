import Base
import PhoneCore

/// The rights that the phones' owners grant to far ends, in worlds with an enemy.
enum Rights {
    /// The codes of all doors: the enemy knows them, and the rules about permitted callers must still hold.
    static let codes = ["1234", "2580"]
    /// A code of no door.
    static let wrongCode = "1235"
    /// A domain in which others have the same numbers.
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

    /// One phone, mostly the one that the enemy imitates, and now and then a phone of another domain.
    private static func callers(_ phones: Int, _ dice: inout Dice) -> [ListedCaller] {
        let own = ListedCaller(
            SimulatedPhone.number(dice.chance(.listsTheFirstPhone) ? 0 : dice.int(in: 0...phones - 1)))
        return dice.chance(.listsAnotherDomain) ? [own, ListedCaller("100", domain: otherDomain)] : [own]
    }

    static func symbols(_ digits: String) -> [DTMFSymbol] { digits.compactMap { DTMFSymbol($0) } }
}
