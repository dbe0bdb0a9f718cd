// The terms that the phone and its lines share belong to the interface of the lines, too.
@_exported import Telephony
