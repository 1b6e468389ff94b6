import type { GateToken } from '@outdial/calls';
import { invariant } from '@outdial/kernel';

/** `<generation>.<timeline>`, as the gate's hash and the scripts write a token. */
export function formatToken(token: GateToken): string {
  invariant(Number.isSafeInteger(token.generation) && token.generation >= 0, `generation ${token.generation}`);
  invariant(
    /^[0-9A-F]{8}$/.test(token.walTimeline),
    `the timeline "${token.walTimeline}" is not eight hexadecimal digits`,
  );
  return `${token.generation}.${token.walTimeline}`;
}

export function parseToken(text: string): GateToken {
  const match = /^(\d+)\.([0-9A-F]{8})$/.exec(text);
  invariant(match?.[1] !== undefined && match[2] !== undefined, `the gate carries "${text}", which is no token`);
  return { generation: Number(match[1]), walTimeline: match[2] };
}
