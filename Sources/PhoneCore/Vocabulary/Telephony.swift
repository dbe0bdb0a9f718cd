// The words that the phone and its lines share are part of this module's vocabulary, too.
@_exported import Telephony
