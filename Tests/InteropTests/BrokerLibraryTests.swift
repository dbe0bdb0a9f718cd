import Base
import Bench
import HostStalls
import Rig
import Testing

/// libmosquitto is loaded only by a phone with a broker, and a phone without the library still has calls.
@Suite(.serialized, .stallsForgiven, .enabled(if: Broker.isThere, "needs mosquitto (Scripts/setup test)"))
struct BrokerLibraryTests {
    private static let library = "/usr/lib/$(uname -m)-linux-gnu/libmosquitto.so.1"

    @Test(.limit(minutesEachTime: 1)) func onlyAPhoneWithABrokerMapsTheLibrary() throws {
        let scene = try BrokerScene(port: 29_700)
        #expect(try scene.libraries(of: scene.phone).contains("libmosquitto"))
        #expect(scene.phone.process.stop().exit == .status(0))

        let folder = try scene.workplace.phoneFolder("plain", .init(port: 29_720, firstMediaPort: 29_900))
        let plain = try RigPhone(name: "plain", folder: folder, program: Workplace.phone)
        _ = try plain.ask("getSnapshot")
        let maps = try scene.libraries(of: plain)
        #expect(maps.contains("libsqlite3") && !maps.contains("libmosquitto"))
    }

    @Test(.limit(minutesEachTime: 1)) func missingLibraryIsNamedInLogAndByDoctor() throws {
        let hide = "mount --bind /dev/null \(Self.library) && exec \"$@\""
        let prefix = ["unshare", "--mount", "sh", "-c", hide, "sh"]
        let scene = try BrokerScene(port: 29_740, prefix: prefix, isConnected: false)
        let advice = "install libmosquitto1 and restart the phone"
        let end = MonotonicTime.now + .seconds(5)
        while !(try TextFile.read(scene.phone.folder.log)).contains(advice), MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(10))
        }
        #expect(try TextFile.read(scene.phone.folder.log).contains(advice))
        try scene.offer("4930123456")
        try scene.phone.wait(for: "incomingCall")
        let doctor = try Command(
            program: prefix + [Workplace.phone, "doctor", "--offline", "--config", scene.phone.folder.configuration],
            in: scene.workplace)
        #expect(doctor.output.contains("fail  caller info"))
        #expect(doctor.output.contains("apt install libmosquitto1"))
    }
}
