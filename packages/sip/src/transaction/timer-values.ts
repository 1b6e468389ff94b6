/** RFC 3261 section 17.1.1.1 and table 4; L and M are of RFC 6026. */

/** The estimated round trip; first retransmission. */
export const T1_MS = 500;
/** The longest pause between retransmissions of a non-INVITE request or of a final response to an INVITE. */
export const T2_MS = 4_000;
/** How long a message may linger in the network. */
export const T4_MS = 5_000;
/** Timers B, F, H, J, L and M: how long the far end is waited for. */
export const PATIENCE_MS = 64 * T1_MS;
/** Timer D: how long a refusal may be repeated over UDP. */
export const TIMER_D_MS = 32_000;
/** A server says 100 by itself after this long, so that the INVITE is not repeated (section 17.2.1). */
export const TRYING_AFTER_MS = 200;
