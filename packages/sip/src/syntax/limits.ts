/** The size limits of one message. A larger one is rejected before it costs memory. */
export const MAX_HEAD_BYTES = 16_384;
export const MAX_BODY_BYTES = 65_536;
export const MAX_HEADER_FIELDS = 256;

/** CSeq numbers are below 2**31 (RFC 3261 section 8.1.1.5). */
export const MAX_CSEQ = 2 ** 31 - 1;
