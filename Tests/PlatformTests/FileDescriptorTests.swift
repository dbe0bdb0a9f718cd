import Glibc
import Platform
import Testing

@Suite("Owned file descriptors")
struct FileDescriptorTests {
    private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    @Test("a descriptor closes with its owner, and no program inherits it")
    func descriptorClosesWithItsOwnerAndNoProgramInheritsIt() throws {
        // High enough that no other test uses the same one.
        let high: Int32 = 700
        do {
            let file = try FileDescriptor("/dev/null", O_RDONLY) { SystemFailure("open", $0) }
            #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
            let copy = FileDescriptor(owning: fcntl(file.number, F_DUPFD_CLOEXEC, high))
            #expect(copy.number >= high && isOpen(copy.number))
        }
        #expect(!isOpen(high))
    }

    @Test("a released descriptor stays open")
    func releasedDescriptorStaysOpen() throws {
        let file = try FileDescriptor("/dev/null", O_RDONLY) { SystemFailure("open", $0) }
        let number = file.release()
        #expect(isOpen(number))
        close(number)
    }

    @Test("a failed open has its reason")
    func failedOpenHasItsReason() {
        #expect(throws: SystemFailure("open", ENOENT)) {
            _ = try FileDescriptor("/nowhere/at/all", O_RDONLY) { SystemFailure("open", $0) }
        }
    }
}
