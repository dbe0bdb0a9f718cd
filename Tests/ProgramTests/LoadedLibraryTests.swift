import Bench
import HostStalls
import Rig
import Testing

/// Libraries that only some phones need.
@Suite(.serialized, .stallsForgiven) struct LoadedLibraryTests {
    /// Their pages would cost memory on every phone.
    @Test(.limit(minutesEachTime: 1)) func phoneWithoutABackendMapsNoneOfItsLibraries() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_452, firstMediaPort: 26_700))
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        // A call uses every part that such a phone has.
        let silent = try DatagramPeer()
        try phone.ask("dial", ["target": .string("sip:666@127.0.0.1:\(silent.port)")])
        try phone.wait(for: "callStarted")
        let names = try MappedFiles.names(of: phone.process.identifier)
        #expect(["libssl.so", "libopus.so"].allSatisfy { name in names.contains { $0.hasPrefix(name) } })
        #expect(!names.contains { $0.hasPrefix("libcurl") || $0.hasPrefix("libmosquitto") }, "\(names)")
        #expect(phone.process.stop().exit == .status(0))
    }
}
