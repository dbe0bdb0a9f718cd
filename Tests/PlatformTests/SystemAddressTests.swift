import Base
import Glibc
import Platform
import Testing

/// Addresses in the form of system calls.
@Suite struct SystemAddressTests {
    @Test(arguments: ["192.0.2.7", "2001:db8::7", "::1"])
    func kernelFormMeansSameAddress(host: String) throws {
        let address = try #require(TransportAddress(host: host, port: 5_060))
        #expect(address.withSystemAddress { pointer, _ in TransportAddress(pointer) } == address)
        #expect(address.withSystemAddress(isIPv6: true) { pointer, _ in TransportAddress(pointer) } == address)
        #expect(IPAddress(address.address.version6) == address.address)
    }

    @Test func boundSocketTellsItsAddress() throws {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        let loopback = try #require(TransportAddress(host: "127.0.0.1", port: 0))
        #expect(loopback.withSystemAddress { bind(socket, $0, $1) } == 0)
        let bound = try #require(TransportAddress(boundBy: socket))
        #expect(bound.address == loopback.address && bound.port != 0)
        #expect(TransportAddress(boundBy: -1) == nil)
    }

    @Test func otherFamilyIsNoAddress() {
        var local = sockaddr_storage()
        local.ss_family = sa_family_t(AF_UNIX)
        #expect(TransportAddress(local) == nil)
    }

    @Test func loopbackIsListed() throws {
        let loopback = try HostInterface.listed().first { $0.address == IPAddress("127.0.0.1") }
        #expect(loopback?.isUp == true && loopback?.number ?? 0 > 0)
    }
}
