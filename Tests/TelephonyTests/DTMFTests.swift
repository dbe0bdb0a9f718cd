import Telephony
import Testing

@Suite("Digits and how long they last")
struct DTMFTests {
    @Test("the sixteen symbols are the events of RFC 4733 §3.2, by number and by character")
    func symbols() {
        #expect(String(DTMFSymbol.allCases.map(\.character)) == "0123456789*#ABCD")
        for (event, symbol) in DTMFSymbol.allCases.enumerated() {
            #expect(symbol.rawValue == UInt8(event) && DTMFSymbol(symbol.character) == symbol)
        }
        #expect(DTMFSymbol("b") == .b)
    }

    @Test("what no key says is no symbol", arguments: ["e", "٣", "+", " ", "Ａ", "é"] as [Character])
    func others(character: Character) {
        #expect(DTMFSymbol(character) == nil && DTMFElement(character) == nil)
    }

    @Test("a comma is a pause of a sequence")
    func pause() {
        #expect("1,#".map { DTMFElement($0) } == [.symbol(.one), .pause, .symbol(.pound)])
    }

    @Test("by whatever a digit is sent, it lasts as long as any switch needs, and as the spec asks")
    func timing() {
        // ITU-T Q.24: 40 ms of tone and of silence are heard by all; spec §8 asks for 50 ms.
        #expect(DTMFTiming.event >= .milliseconds(50) && DTMFTiming.info >= .milliseconds(50))
        #expect(DTMFTiming.gap >= .milliseconds(40) && DTMFTiming.pause == .seconds(2))
    }
}
