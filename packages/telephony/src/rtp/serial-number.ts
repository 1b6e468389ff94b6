/** How far `to` lies after `from`, both 16 bits and wrapping (RFC 1982): -32,768 … 32,767. */
export const sequenceDistance = (from: number, to: number): number => ((to - from) << 16) >> 16;

/** How far `to` lies after `from`, both 32 bits and wrapping: -2^31 … 2^31 - 1. */
export const timestampDistance = (from: number, to: number): number => (to - from) | 0;

export const nextSequenceNumber = (sequenceNumber: number): number => (sequenceNumber + 1) & 0xffff;

export const addToTimestamp = (timestamp: number, samples: number): number => (timestamp + samples) >>> 0;
