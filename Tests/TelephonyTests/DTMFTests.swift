import Telephony
import Testing

@Suite("Digits and their duration")
struct DTMFTests {
    @Test("the sixteen symbols are the events of RFC 4733 §3.2, by number and character")
    func sixteenSymbolsAreEventsOfRFC473332ByNumberAndCharacter() {
        #expect(String(DTMFSymbol.allCases.map(\.character)) == "0123456789*#ABCD")
        for (event, symbol) in DTMFSymbol.allCases.enumerated() {
            #expect(symbol.rawValue == UInt8(event) && DTMFSymbol(symbol.character) == symbol)
        }
        #expect(DTMFSymbol("b") == .b)
    }

    @Test("other characters are no symbol", arguments: ["e", "٣", "+", " ", "Ａ", "é"] as [Character])
    func otherCharactersAreNoSymbol(character: Character) {
        #expect(DTMFSymbol(character) == nil && DTMFElement(character) == nil)
    }

    @Test("a comma is a pause")
    func commaIsPause() {
        #expect("1,#".map { DTMFElement($0) } == [.symbol(.one), .pause, .symbol(.pound)])
    }

    @Test("by any way a digit lasts as long as switches need, and as the spec requires")
    func byAnyWayDigitLastsAsLongAsSwitchesNeedAndAsSpecRequires() {
        // ITU-T Q.24: all receivers detect 40 ms of tone and of silence; spec §8 requires 50 ms.
        #expect(DTMFTiming.event >= .milliseconds(50) && DTMFTiming.info >= .milliseconds(50))
        #expect(DTMFTiming.gap >= .milliseconds(40) && DTMFTiming.pause == .seconds(2))
    }
}
