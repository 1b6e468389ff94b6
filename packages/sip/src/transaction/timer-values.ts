/** RFC 3261 section 17.1.1.1 and table 4; L and M are of RFC 6026. */

/** The estimated round trip; the first retransmission interval. */
export const T1_MS = 500;
/** The longest interval between retransmissions of a non-INVITE request or of a final response to an INVITE. */
export const T2_MS = 4_000;
/** How long a message may stay in the network. */
export const T4_MS = 5_000;
/** Timers B, F, H, J, L and M: how long to wait for the far end. */
export const TRANSACTION_TIMEOUT_MS = 64 * T1_MS;
/** Timer D: how long a rejection may be retransmitted over UDP. */
export const TIMER_D_MS = 32_000;
/** A server sends 100 after this long, so that the INVITE is not retransmitted (section 17.2.1). */
export const TRYING_AFTER_MS = 200;
