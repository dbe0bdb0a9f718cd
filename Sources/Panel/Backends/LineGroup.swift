import CGPIO
import Glibc
import Platform

/// Lines of one chip, requested together.
enum LineGroup {
    private static let consumer = "offhook"

    /// - Parameter path: The chip's path.
    /// - Returns: The request, which `cgpio_release` closes.
    static func request(_ lines: [LineRequest], path: String) throws(PanelError) -> OpaquePointer {
        var settings: [cgpio_line_settings] = []
        for line in lines { settings.append(try Self.settings(line, path: path)) }
        var refusal = cgpio_refusal()
        let request = unsafe cgpio_request(path, consumer, settings, settings.count, &refusal)
        let code = errno
        if let request = unsafe request { return unsafe request }
        let line = lines[max(0, Int(refusal.index))]
        guard code == EBUSY else {
            throw .lineRefused(key: line.key, line.address, reason: SystemError.text(code))
        }
        throw .lineBusy(key: line.key, line.address, consumer: CText.string(refusal.consumer))
    }

    private static func settings(_ line: LineRequest, path: String) throws(PanelError) -> cgpio_line_settings {
        let role =
            switch line.role {
            case .input: CGPIO_INPUT
            case .output: CGPIO_OUTPUT
            case .openOutput: CGPIO_OPEN
            }
        let bias =
            switch line.bias {
            case .asIs: CGPIO_BIAS_AS_IS
            case .none: CGPIO_BIAS_DISABLED
            case .pullUp: CGPIO_BIAS_PULL_UP
            case .pullDown: CGPIO_BIAS_PULL_DOWN
            }
        return cgpio_line_settings(
            offset: try offset(of: line, path: path), role: role, bias: bias, active_low: line.polarity == .activeLow)
    }

    private static func offset(of line: LineRequest, path: String) throws(PanelError) -> UInt32 {
        switch line.address.line {
        case .offset(let offset):
            guard unsafe offset < cgpio_describe(path).line_count else {
                throw .lineNotFound(key: line.key, line.address)
            }
            return offset
        case .name(let name):
            let offset = unsafe cgpio_find_line(path, name)
            if offset >= 0 { return UInt32(offset) }
            guard errno == ENOENT else {
                throw .lineRefused(key: line.key, line.address, reason: SystemError.text(errno))
            }
            throw .lineNotFound(key: line.key, line.address)
        }
    }
}
