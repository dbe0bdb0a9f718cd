import CGPIO
import Glibc
import Platform

/// Lines of one chip, requested together.
package enum LineGroup {
    private static let consumer = "offhook"

    /// - Parameter path: The chip's path.
    /// - Returns: The request, which `cgpio_release` closes.
    static func request(_ lines: [LineRequest], path: String) throws(PanelError) -> OpaquePointer {
        var offsets: [UInt32] = []
        for line in lines { offsets.append(try offset(of: line, path: path)) }
        try refuseShared(lines, at: offsets)
        let settings = zip(lines, offsets).map(Self.settings)
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

    /// Rejects two parts on one line. A board file may name the line once by its name and once by its number. In that
    /// case libgpiod 2 would give both parts the settings of the second.
    /// - Parameter offsets: The offset of each line.
    package static func refuseShared(_ lines: [LineRequest], at offsets: [UInt32]) throws(PanelError) {
        var users: [UInt32: String] = [:]
        for (line, offset) in zip(lines, offsets) {
            guard let first = users.updateValue(line.key, forKey: offset) else { continue }
            throw .lineShared(key: line.key, line.address, first: first)
        }
    }

    private static func settings(_ line: LineRequest, at offset: UInt32) -> cgpio_line_settings {
        let (role, drive) =
            switch line.role {
            case .input: (CGPIO_INPUT, CGPIO_PUSH_PULL)
            case .output(.pushPull): (CGPIO_OUTPUT, CGPIO_PUSH_PULL)
            case .output(.openDrain): (CGPIO_OUTPUT, CGPIO_OPEN_DRAIN)
            case .output(.openSource): (CGPIO_OUTPUT, CGPIO_OPEN_SOURCE)
            }
        let bias =
            switch line.bias {
            case .asIs: CGPIO_BIAS_AS_IS
            case .none: CGPIO_BIAS_DISABLED
            case .pullUp: CGPIO_BIAS_PULL_UP
            case .pullDown: CGPIO_BIAS_PULL_DOWN
            }
        return cgpio_line_settings(
            offset: offset, role: role, drive: drive, bias: bias, active_low: line.polarity == .activeLow)
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
