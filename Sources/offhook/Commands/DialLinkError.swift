/// Why a link is not dialled.
package enum DialLinkError: Error, Equatable, CustomStringConvertible {
    case tooLong
    case noNumber
    case code
    case elsewhere
    case password
    /// A demand that this phone does not meet, by its name in the link.
    case unknownDemand(String)

    package var description: String {
        switch self {
        case .tooLong: "the link is longer than \(DialLink.longest) bytes"
        case .noNumber: "the link names no telephone number and no address"
        case .code: "a link may dial a number, but no code with * or #"
        case .elsewhere: "the number holds only in somebody else's network"
        case .password: "a link with a password is not dialled"
        case .unknownDemand(let name): "the link demands \"\(name)\", which this phone does not do for links"
        }
    }
}
