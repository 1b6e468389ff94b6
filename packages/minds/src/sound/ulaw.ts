/** µ-law at 8 kHz, one byte a sample. */
export const BYTES_PER_MS = 8;
