import Base
import Bench

/// A kiosk and two desk phones on one machine. They call each other by their addresses, without a server.
final class KioskStage {
    static let kioskNumber = "sip:kiosk@127.0.0.1:25060"

    /// A desk hears the kiosk's pages, and sends to another group, the second.
    private static func desk(pages group: String) -> String {
        """

        paging:
          groups:
            - { address: 239.255.79.1, port: 25004, label: desks, codec: g722 }
            - { \(group), send: true }

        """
    }

    let phones: RehearsedKiosk.Phones
    private let all: [RigPhone]

    /// - Parameters:
    /// - program: The phone's.
    /// - kiosk: The kiosk sections of the configuration.
    init(program: String, folder: String, board: String, wire: String, kiosk: String) throws {
        let place = try Stage.place(folder, program: program, board: board, wire: wire)
        func start(
            _ name: String, _ host: Int, peers: [Int], hasHandset: Bool = true, more: String
        ) throws -> RigPhone {
            let port = UInt16(25_050 + 10 * host)
            var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + UInt16(100 * host))
            settings.address = "127.0.0.\(host)"
            settings.hasHandset = hasHandset
            settings.peers = peers.map { "127.0.0.\($0)" }
            settings.more = "  speaker:\n    capture: \(name)\n    playback: \(name)\n" + more
            let home = try place.phoneFolder(name, settings)
            return try RigPhone(name: name, folder: home, program: place.program)
        }
        let reception = try start(
            "reception", 2, peers: [1],
            more: Self.desk(pages: "address: 239.255.79.3, port: 25008, label: house, codec: pcmu"))
        let guardRoom = try start(
            "guard", 3, peers: [1],
            more: Self.desk(pages: "address: 239.255.79.2, port: 25006, label: alarm, codec: opus"))
        let door = try start("kiosk", 1, peers: [2, 3], hasHandset: false, more: kiosk)
        phones = RehearsedKiosk.Phones(kiosk: door, reception: reception, guardRoom: guardRoom)
        all = [door, reception, guardRoom]
    }

    /// Ends all programs, and reports whether they stopped properly and in time.
    func stop() -> CheckList { Stage.stop(all) }
}
