/// libFuzzer's own loop. Its `main` cannot be linked into a Swift executable, so each target calls this from its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func LLVMFuzzerRunDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ one: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// Runs libFuzzer with the process' arguments over one function. Does not come back.
public func fuzz(_ one: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt) {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    withUnsafeMutablePointer(to: &arguments) { pointer in
        _ = LLVMFuzzerRunDriver(&count, pointer, one)
    }
}

/// An input of libFuzzer as bytes of ours.
public func bytes(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}
