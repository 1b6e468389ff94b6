import { randomBytes } from 'node:crypto';

/** Marks a branch that is unique across space and time (RFC 3261 section 8.1.1.7). */
export const BRANCH_COOKIE = 'z9hG4bK';

/** 96 random bits: only a party that saw the request can answer it. */
export function newBranch(): string {
  return `${BRANCH_COOKIE}${randomBytes(12).toString('hex')}`;
}

/** A tag for From or To: RFC 3261 section 19.3 asks for 32 random bits; these are 64. */
export function newTag(): string {
  return randomBytes(8).toString('hex');
}

export function newCallId(): string {
  return randomBytes(16).toString('hex');
}
