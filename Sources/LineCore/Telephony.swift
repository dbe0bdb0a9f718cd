// What the phone and its lines call by the same words are the lines' own words, too.
@_exported import Telephony
