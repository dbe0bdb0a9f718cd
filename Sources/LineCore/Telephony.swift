// The interface of the lines includes the terms that the phone and its lines share.
@_exported import Telephony
