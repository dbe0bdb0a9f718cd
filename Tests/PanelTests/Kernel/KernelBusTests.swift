import Foundation
import Glibc
import Panel
import PhoneCore
import Synchronization
import Testing

/// A display on a kernel bus (i2c-stub), if the machine has that. Its registers keep the written bytes.
@Suite(
    .serialized, .enabled(if: StubBus.path != nil, "no bus of i2c-stub (Scripts/cards boots a machine that has one)"))
struct KernelBusTests {
    private func display(at address: Int, _ told: Told) throws -> Display {
        let path = try #require(StubBus.path)
        let board = try Boards.board(
            "  backend: simulated\n  chip: c\n  display: {controller: ssd1306, bus: \(path), address: \(address)}")
        return Display(try #require(board.panel.display), showing: DisplayContent(title: "Ada")) { told.add($0) }
    }

    @Test func shownTextReachesDevice() throws {
        let (told, bus) = (Told(), try #require(StubBus.path))
        let display = try display(at: 0x3C, told)
        try display.start()
        // The last commands are the window of the letters.
        #expect(StubBus.waits(for: 0x21, in: 0x00, of: 0x3C, on: bus))
        display.close()
        // And at the end it is switched off.
        #expect(StubBus.waits(for: 0xAE, in: 0x00, of: 0x3C, on: bus))
        #expect(told.all.isEmpty)
    }

    @Test func missingDeviceIsReported() throws {
        let told = Told()
        let display = try display(at: 0x50, told)
        try display.start()
        for _ in 0..<500 where told.all.isEmpty { usleep(10_000) }
        display.close()
        #expect(told.all.count == 1)
        #expect(told.all.first?.hasSuffix(": no device answers at this address") == true, "\(told.all)")
    }

    private final class Told: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }
}

enum StubBus {
    /// The device of the bus; nil: no such bus.
    static let path: String? = {
        let folder = "/sys/bus/i2c/devices"
        let buses = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let stub = buses.first { bus in
            (try? String(contentsOfFile: "\(folder)/\(bus)/name", encoding: .utf8))?.hasPrefix("SMBus stub") == true
        }
        return stub.map { "/dev/\($0)" }
    }()

    /// Waits until a register of a device has a value, by i2cget.
    static func waits(for value: Int, in register: Int, of address: Int, on bus: String) -> Bool {
        for _ in 0..<100 {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/sbin/i2cget")
            process.arguments = [
                "-y", bus.replacingOccurrences(of: "/dev/i2c-", with: ""), "\(address)", "\(register)",
            ]
            process.standardOutput = output
            guard (try? process.run()) != nil else { return false }
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if String(decoding: bytes, as: UTF8.self).hasPrefix("0x" + String(value, radix: 16)) { return true }
            usleep(100_000)
        }
        return false
    }
}
