/// Methods of RFC 8656 §17.
package enum TURNMethod {
    package static let allocate: UInt16 = 3
    package static let refresh: UInt16 = 4
    package static let send: UInt16 = 6
    package static let data: UInt16 = 7
    package static let createPermission: UInt16 = 8
    package static let channelBind: UInt16 = 9
}
