import Panel

/// The header pin of a known chip's line.
enum HeaderPin {
    /// - Returns: Nil for chips and lines without a known header.
    static func of(_ address: LineAddress) -> String? {
        switch (address.chip.hasPrefix("pinctrl-"), address.line) {
        case (true, .name(let name)): raspberry[name].map { "pin \($0)" }
        case (true, .offset): nil
        case (false, .offset(let offset)): beagle[address.chip]?[offset]
        case (false, .name): nil
        }
    }

    /// The header of 40 pins that every Raspberry Pi has since the B+.
    private static let raspberry = [
        "GPIO2": 3, "GPIO3": 5, "GPIO4": 7, "GPIO5": 29, "GPIO6": 31, "GPIO7": 26, "GPIO8": 24, "GPIO9": 21,
        "GPIO10": 19, "GPIO11": 23, "GPIO12": 32, "GPIO13": 33, "GPIO14": 8, "GPIO15": 10, "GPIO16": 36, "GPIO17": 11,
        "GPIO18": 12, "GPIO19": 35, "GPIO20": 38, "GPIO21": 40, "GPIO22": 15, "GPIO23": 16, "GPIO24": 18, "GPIO25": 22,
        "GPIO26": 37, "GPIO27": 13,
    ]

    /// The headers P8 and P9 of a BeagleBone Black, by bank and line (System Reference Manual, tables 12 and 13).
    private static let beagle: [String: [UInt32: String]] = [
        "gpio-0-31": [
            22: "P8.19", 23: "P8.13", 26: "P8.14", 27: "P8.17", 30: "P9.11", 31: "P9.13",
        ],
        "gpio-32-63": [
            12: "P8.12", 13: "P8.11", 14: "P8.16", 15: "P8.15", 16: "P9.15", 17: "P9.23", 18: "P9.14", 19: "P9.16",
            28: "P9.12", 29: "P8.26",
        ],
        "gpio-64-95": [1: "P8.18", 2: "P8.7", 3: "P8.8", 4: "P8.10", 5: "P8.9"],
        "gpio-96-127": [17: "P9.28", 19: "P9.27", 21: "P9.25"],
    ]
}
