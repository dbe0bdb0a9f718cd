/// A place where something is plugged in, in the kernel's notation: a bus and ports, such as `1-1.2`.
public enum USBPort {
    public static func isOne(_ name: some StringProtocol) -> Bool {
        name.contains("-") && name.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ".") }
    }
}
