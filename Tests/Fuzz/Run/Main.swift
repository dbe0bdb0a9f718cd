import FuzzTargets
import Glibc

/// libFuzzer's own loop. Its `main` cannot be linked into a Swift executable.
@_silgen_name("LLVMFuzzerRunDriver")
private func LLVMFuzzerRunDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ one: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The target that OFFHOOK_FUZZ_TARGET names.
private let target: FuzzTarget = {
    let name = getenv("OFFHOOK_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else { preconditionFailure("no target: \(name)") }
    return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    target.take(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

@main struct Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        withUnsafeMutablePointer(to: &arguments) { pointer in
            _ = LLVMFuzzerRunDriver(&count, pointer, testOneInput)
        }
    }
}
