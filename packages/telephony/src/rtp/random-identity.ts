import { randomBytes } from 'node:crypto';
import type { RtpIdentity } from './rtp-sender.ts';

/** For a new stream. */
export function randomIdentity(): RtpIdentity {
  const bytes = randomBytes(10);
  return { ssrc: bytes.readUInt32BE(0), sequenceNumber: bytes.readUInt16BE(4), timestamp: bytes.readUInt32BE(6) };
}

/** RFC 7022 section 4.2: 96 random bits name a sender for one session, and reveal nothing about its host. */
export const randomCanonicalName = (): string => randomBytes(12).toString('base64');
