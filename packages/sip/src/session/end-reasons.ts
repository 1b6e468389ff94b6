/** Reason header fields (RFC 3326) of requests that end a call. */
export const NORMAL_CLEARING = 'Q.850;cause=16;text="Normal call clearing"';
export const NO_ANSWER = 'Q.850;cause=19;text="No answer"';
export const NO_COMMON_AUDIO = 'SIP;cause=488;text="No common audio"';
export const SESSION_LOST = 'SIP;cause=408;text="Session lost"';
