import Glibc
import Platform
import Testing

@Suite("Descriptors that have an owner")
struct FileDescriptorTests {
    private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    @Test("one is closed when its owner goes, and is inherited by no program")
    func owned() throws {
        // High enough that no other test gets the same one meanwhile.
        let high: Int32 = 700
        do {
            let file = try FileDescriptor("/dev/null", O_RDONLY) { SystemFailure("open", $0) }
            #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
            let copy = FileDescriptor(owning: fcntl(file.number, F_DUPFD_CLOEXEC, high))
            #expect(copy.number >= high && isOpen(copy.number))
        }
        #expect(!isOpen(high))
    }

    @Test("one that is given away stays open")
    func released() throws {
        let file = try FileDescriptor("/dev/null", O_RDONLY) { SystemFailure("open", $0) }
        let number = file.release()
        #expect(isOpen(number))
        close(number)
    }

    @Test("what cannot be opened says why")
    func missing() {
        #expect(throws: SystemFailure("open", ENOENT)) {
            _ = try FileDescriptor("/nowhere/at/all", O_RDONLY) { SystemFailure("open", $0) }
        }
    }
}
