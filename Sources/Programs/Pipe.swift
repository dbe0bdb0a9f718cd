import CProcess
import Glibc
import Platform

/// A pipe that closes both ends with its owner. Programs do not inherit it.
struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(SystemFailure) {
        var ends: InlineArray<2, Int32> = [-1, -1]
        var span = ends.mutableSpan
        let failure = unsafe span.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe cprocess_pipe($0) } ?? -1
        }
        guard failure == 0 else { throw SystemFailure("a pipe cannot be made", errno) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// Keeps one end and closes the other.
    consuming func keepReading() -> FileDescriptor { reading }
    consuming func keepWriting() -> FileDescriptor { writing }

    /// Makes one end non-blocking. The other end, which a program gets, blocks as usual.
    static func doNotWait(on end: borrowing FileDescriptor) throws(SystemFailure) {
        guard fcntl(end.number, F_SETFL, O_NONBLOCK) == 0 else { throw SystemFailure("a pipe cannot be used", errno) }
    }
}
