// This module's vocabulary includes the terms that the phone and its lines share.
@_exported import Telephony
