import Lines
import Testing

@Suite("Instance identifier (RFC 5626 §4.1)")
struct DeviceInstanceTests {
    @Test("the instance is a version 4 UUID of the drawn digits")
    func instanceIsVersion4UUIDOfDrawnDigits() {
        let urn = DeviceInstance.urn("00112233445566778899aabbccddeeff")
        #expect(urn == "urn:uuid:00112233-4455-4677-a899-aabbccddeeff")
    }

    @Test("other text gives no instance", arguments: ["", "0011", String(repeating: "g", count: 32), "０" + "0"])
    func otherTextGivesNoInstance(_ digits: String) {
        #expect(DeviceInstance.urn(digits) == nil)
    }
}
