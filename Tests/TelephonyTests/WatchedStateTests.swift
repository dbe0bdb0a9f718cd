import Telephony
import Testing

@Suite struct WatchedStateTests {
    @Test(
        arguments: [
            ([], .idle), ([.held], .held), ([.busy], .busy), ([.ringing], .ringing), ([.held, .busy], .busy),
            ([.busy, .held, .ringing], .ringing), ([.held, .ringing], .ringing), ([.held, .held], .held),
        ] as [([WatchedState.Call], WatchedState)])
    func ringingCallWinsOverActiveOneAndThatOverHeldOne(calls: [WatchedState.Call], state: WatchedState) {
        #expect(WatchedState(calls) == state)
    }
}
