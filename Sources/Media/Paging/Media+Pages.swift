import PhoneCore

extension Media {
    /// Opens the sockets of all groups. A group whose socket cannot be opened is left out: calls do not need pages.
    static func pages(_ settings: MediaSettings, _ notice: @Sendable (MediaNotice) -> Void) -> [PageMedia] {
        var pages: [PageMedia] = []
        for (index, group) in settings.pages.enumerated() {
            do throws(MediaError) {
                pages.append(try PageMedia(UInt8(index + 1), group, settings: settings))
            } catch {
                notice(.groupUnheard(group.address, port: group.port, reason: error.description))
            }
        }
        return pages
    }

    /// Joins all groups.
    /// - Parameter addresses: this phone's addresses; empty: they are not known yet. If voice is bound to one address,
    ///   pages use that one.
    func join(_ addresses: [String], _ pages: [PageMedia]) {
        let own = pageAddresses(addresses)
        for page in pages {
            do throws(MediaError) {
                try page.socket.join(own)
            } catch {
                let group = settings.pages[Int(page.number) - 1]
                notice(.groupUnheard(group.address, port: group.port, reason: error.description))
            }
        }
    }

    /// The addresses of the interface for pages. Empty: the kernel chooses one.
    func pageAddresses(_ addresses: [String]) -> [String] {
        let bound = settings.bindAddress
        return bound == "0.0.0.0" || bound == "::" ? addresses : [bound]
    }

    func hear(_ number: UInt8, _ threads: MediaThreads) -> [MediaEvent] {
        guard let page = threads.pages.first(where: { $0.number == number }) else { return [] }
        return tell(threads.commands, .page(Borrowed(page)))
    }
}
