import type { RedisClient } from '@outdial/queue';
import { networkOf } from '../http/network-of.ts';
import { createAttempts } from './attempts.ts';

/** The user or address that the attempt is for, and where it comes from. */
interface Attempt {
  readonly subject: string;
  /** The client's address. */
  readonly address: string;
}

/** Limits attempts at what should succeed the first time. */
export interface Throttle {
  /**
   * Begins an attempt. It counts for its subject from this address and for the address, so that attempts from elsewhere
   * block no user. Call the returned function when the attempt succeeded. @throws ApiError `too_many_attempts`
   */
  begin(attempt: Attempt): Promise<() => Promise<void>>;
}

export interface ThrottleLimits {
  readonly name: string;
  readonly windowSeconds: number;
  readonly maxOfSubject: number;
  readonly maxOfAddress: number;
}

export const PASSWORD_LIMITS = { name: 'password', windowSeconds: 900, maxOfSubject: 10, maxOfAddress: 100 } as const;
/** Counts correct passwords too: each check takes a tenth of a second of CPU from others. */
export const PASSWORD_CHECK_LIMITS = {
  name: 'password-check',
  windowSeconds: 900,
  maxOfSubject: 30,
  maxOfAddress: 300,
} as const;
export const SIGN_UP_LIMITS = { name: 'sign-up', windowSeconds: 3_600, maxOfSubject: 10, maxOfAddress: 30 } as const;
export const LINK_LIMITS = { name: 'link', windowSeconds: 3_600, maxOfSubject: 5, maxOfAddress: 30 } as const;
export const INVITATION_LIMITS = {
  name: 'invitation',
  windowSeconds: 3_600,
  maxOfSubject: 50,
  maxOfAddress: 200,
} as const;

export function createThrottle(redis: RedisClient, limits: ThrottleLimits): Throttle {
  const { name, windowSeconds, maxOfSubject, maxOfAddress } = limits;
  const ofSubject = createAttempts(redis, { name: `${name}:subject`, max: maxOfSubject, windowSeconds });
  const ofAddress = createAttempts(redis, { name: `${name}:address`, max: maxOfAddress, windowSeconds });
  return {
    async begin({ subject, address }) {
      const network = networkOf(address);
      const pair = `${subject} ${network}`;
      await ofAddress.count(network);
      await ofSubject.count(pair);
      return async () => {
        await Promise.all([ofSubject.forget(pair), ofAddress.forgive(network)]);
      };
    },
  };
}

/** The first throttle limits failed attempts, the second one all attempts. */
export function limitingAll(failures: Throttle, all: Throttle): Throttle {
  return {
    async begin(attempt) {
      await all.begin(attempt);
      return failures.begin(attempt);
    },
  };
}
