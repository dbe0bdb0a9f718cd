// What the phone and its lines call by the same words are the phone's own words, too.
@_exported import Telephony
