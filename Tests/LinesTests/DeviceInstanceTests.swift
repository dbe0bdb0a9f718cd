import Lines
import Testing

@Suite("The name of a device (RFC 5626 §4.1)")
struct DeviceInstanceTests {
    @Test("it is a version 4 UUID of the digits that were drawn")
    func names() {
        let urn = DeviceInstance.urn("00112233445566778899aabbccddeeff")
        #expect(urn == "urn:uuid:00112233-4455-4677-a899-aabbccddeeff")
    }

    @Test("what is no 32 digits names nothing", arguments: ["", "0011", String(repeating: "g", count: 32), "０" + "0"])
    func nothing(_ digits: String) {
        #expect(DeviceInstance.urn(digits) == nil)
    }
}
