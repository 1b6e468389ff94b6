import { isTrySound, TRY_END_REASONS, type TryEndReason } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';

/** From the API process that has the connection of the person. */
export type FromPerson =
  | { readonly kind: 'sound'; readonly ulaw: Uint8Array }
  /** The connection stands. Repeated, since a message may be lost. */
  | { readonly kind: 'present' };

/** From the worker that runs the agent. */
export type FromAgent =
  | { readonly kind: 'sound'; readonly ulaw: Uint8Array }
  /** The agent hears. The answer to `present`. */
  | { readonly kind: 'hears' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'ended'; readonly reason: TryEndReason };

const SOUND = 1;
const PRESENT = 2;
const HEARS = 3;
const CLEAR = 4;
const ENDED = 5;
const reasons: readonly string[] = TRY_END_REASONS;

export function encodeTrySound(message: FromPerson | FromAgent): Uint8Array {
  switch (message.kind) {
    case 'sound': {
      const bytes = new Uint8Array(1 + message.ulaw.length);
      bytes[0] = SOUND;
      bytes.set(message.ulaw, 1);
      return bytes;
    }
    case 'present':
      return Uint8Array.of(PRESENT);
    case 'hears':
      return Uint8Array.of(HEARS);
    case 'clear':
      return Uint8Array.of(CLEAR);
    case 'ended':
      return Uint8Array.of(ENDED, reasons.indexOf(message.reason));
    default:
      return unreachable(message);
  }
}

/** Null for bytes of any other form. */
export function parseFromPerson(bytes: Uint8Array): FromPerson | null {
  if (bytes[0] === PRESENT) return { kind: 'present' };
  return soundOf(bytes);
}

/** Null for bytes of any other form. */
export function parseFromAgent(bytes: Uint8Array): FromAgent | null {
  const [kind, nth = -1] = bytes;
  if (kind === HEARS) return { kind: 'hears' };
  if (kind === CLEAR) return { kind: 'clear' };
  if (kind !== ENDED) return soundOf(bytes);
  const reason = TRY_END_REASONS[nth];
  return reason === undefined ? null : { kind: 'ended', reason };
}

function soundOf(bytes: Uint8Array): { readonly kind: 'sound'; readonly ulaw: Uint8Array } | null {
  const ulaw = bytes.subarray(1);
  return bytes[0] === SOUND && isTrySound(ulaw) ? { kind: 'sound', ulaw } : null;
}
