/// Stable numbers for our addresses in one call.
///
/// The kernel lists addresses in any order, and one that comes or goes shifts all behind it. The agent takes an address
/// with another number for another socket, and gives up the path on the old one. So an address keeps its number for as
/// long as it exists, and no number is used twice.
package struct HostPlaces<Address: Equatable & Sendable>: Sendable {
    package struct Place: Equatable, Sendable {
        package let number: Int
        package let address: Address
    }

    /// The places of all addresses, in the kernel's last order.
    package private(set) var all: [Place] = []
    private var next = 0

    package init() {}

    /// Sets the current addresses.
    package mutating func take(_ addresses: [Address]) {
        var places: [Place] = []
        for address in addresses where !places.contains(where: { $0.address == address }) {
            if let known = all.first(where: { $0.address == address }) {
                places.append(known)
            } else {
                places.append(Place(number: next, address: address))
                next += 1
            }
        }
        all = places
    }

    /// Nil: the address no longer exists.
    package func address(of number: Int) -> Address? { all.first { $0.number == number }?.address }
}
