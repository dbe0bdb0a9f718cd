import Glibc
import Media
import Testing

@Suite
struct DeviceNameTests {
    /// The kernel's folder of sound cards: an on-board codec, and two equal headsets.
    private static func cards(_ folder: TestFolder) throws {
        let devices = [
            "../../../fe00b840.mailbox", "../../../1-1.2:1.0", "../../../1-1.3:1.0", "../../../0000:00:1f.3",
        ]
        for (number, device) in devices.enumerated() {
            let card = folder.path + "/card\(number)"
            #expect(unsafe mkdir(card, 0o700) == 0 && symlink(device, card + "/device") == 0)
        }
    }

    @Test(
        "a USB port selects the card plugged in there",
        arguments: [
            ("plughw:USB=1-1.2", "plughw:CARD=1"), ("plughw:USB=1-1.3,DEV=0", "plughw:CARD=2,DEV=0"),
            ("hw:USB=1-1.3", "hw:CARD=2"),
        ])
    func usbPortSelectsCardPluggedInThere(name: String, expected: String) throws {
        let folder = TestFolder()
        try Self.cards(folder)
        #expect(DeviceName.resolve(name, cards: folder.path) == expected)
    }

    @Test("an empty port selects no device", arguments: ["plughw:USB=1-1", "plughw:USB=1-1.4", "plughw:USB=2-1.2"])
    func emptyPortSelectsNoDevice(name: String) throws {
        let folder = TestFolder()
        try Self.cards(folder)
        #expect(DeviceName.resolve(name, cards: folder.path) == nil)
    }

    @Test(
        "other names are passed to ALSA",
        arguments: [
            "default", "plughw:CARD=Device", "hw:0", "plughw:USB=", "plughw:USB=../../etc", "plughw:USB=1-1/2", "",
        ])
    func otherNamesArePassedToALSA(name: String) throws {
        let folder = TestFolder()
        try Self.cards(folder)
        #expect(DeviceName.resolve(name, cards: folder.path) == name)
    }

    @Test("only USB cards have a port")
    func onlyUSBCardsHavePort() throws {
        let folder = TestFolder()
        try Self.cards(folder)
        let places = (0..<6).map { DeviceName.place(ofCard: $0, in: folder.path) }
        #expect(places == [nil, "1-1.2", "1-1.3", nil, nil, nil])
    }
}
