extension ToneCountry {
    /// The country's tones. The first access to each plan parses the table and allocates, so it belongs at the start.
    public var plan: TonePlan {
        switch self {
        case .us: .us
        case .gb: .gb
        case .de: .de
        case .fr: .fr
        case .it: .it
        case .es: .es
        case .nl: .nl
        case .ch: .ch
        case .at: .at
        case .be: .be
        case .dk: .dk
        case .se: .se
        case .no: .no
        case .fi: .fi
        case .pl: .pl
        case .jp: .jp
        case .cn: .cn
        case .in: .in
        case .au: .au
        case .nz: .nz
        case .br: .br
        case .za: .za
        }
    }
}
