import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';

/**
 * Each takes a tenth of a second of a processor and 32 MiB, in Node's pool of threads, which file and name look-ups share.
 * However many sign in at once, some of it is left.
 */
const MAX_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place is handed on as it is.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** scrypt with a salt of its own, off the thread that answers requests. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

export function verifyPassword(given: { readonly hash: string; readonly password: string }): Promise<boolean> {
  return inTurn(() => verify(given));
}
