import type {
  AcquireLinesOutcome,
  GateToken,
  LineGate,
  LineLimits,
  LineReader,
  LinesReading,
  TakeLineOutcome,
  TakenLines,
} from '@outdial/calls';
import { breakerNameSchema, lineNameSchema, trunkNameSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { formatToken } from '../token.ts';
import { naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';
import { trunkArguments } from './trunk-channels.ts';

type AcquireInput = Parameters<LineGate['acquire']>[0];
type FreeInput = Parameters<LineGate['free']>[0];
type ReadInput = Parameters<LineReader['read']>[0];
type TakeInput = Parameters<LineGate['takeLine']>[0];

function lineArguments({
  name,
  maxCalls,
  startsPerSecond,
  isShared,
  isClosed,
  breakers,
}: LineLimits): readonly string[] {
  invariant(startsPerSecond >= 1, `line ${name} must take at least one call per second, and not ${startsPerSecond}`);
  return [
    name,
    naturalArgument('calls of a line', maxCalls),
    naturalArgument('starts per second', startsPerSecond),
    isShared ? '1' : '0',
    isClosed ? '1' : '0',
    breakers.join(' '),
  ];
}

export const acquireLines = defineScript<AcquireInput, AcquireLinesOutcome>({
  file: 'acquire-lines-7.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.channels, keys.trunks, keys.lines, keys.credentials, keys.breakers],
  args({ callId, trunks, lines }) {
    invariant(new Set(lines.map(({ name }) => name)).size === lines.length, 'a call asks for a line once');
    return [callId, String(trunks.length), ...trunks.flatMap(trunkArguments), ...lines.flatMap(lineArguments)];
  },
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
      case 'not_held':
        return { kind: reply.kind };
      case 'stale':
        return { kind: 'stale', token: reply.token(0) };
      case 'acquired': {
        const trunk = reply.text(1);
        const lines = reply.rest(2).map((name) => lineNameSchema.parse(name));
        return {
          kind: 'acquired',
          token: reply.token(0),
          trunk: trunk === '' ? null : trunkNameSchema.parse(trunk),
          lines,
        };
      }
      case 'wait': {
        const lines = reply.rest(2).map((name) => lineNameSchema.parse(name));
        return { kind: 'wait', forMs: reply.integer(0), waitingFor: { trunk: reply.text(1) === '1', lines } };
      }
      default:
        return reply.unexpected();
    }
  },
});

export const takeLine = defineScript<TakeInput, TakeLineOutcome>({
  file: 'take-line-5.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.lines, keys.credentials, keys.breakers],
  args: ({ callId, reservationId, line }) => [callId, reservationId, ...lineArguments(line)],
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
      case 'not_held':
      case 'full':
        return { kind: reply.kind };
      case 'stale':
      case 'taken':
        return { kind: reply.kind, token: reply.token(0) };
      case 'line_closed':
      case 'wait':
        return { kind: reply.kind, forMs: reply.integer(0) };
      default:
        return reply.unexpected();
    }
  },
});

export const freeLines = defineScript<FreeInput, readonly number[] | null>({
  file: 'free-lines-5.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.lines, keys.credentials, keys.breakers],
  args: ({ accountId, lines }) => [accountId, ...lines.flatMap(lineArguments)],
  outcome(reply) {
    if (reply.oneOf('unknown', 'free') === 'unknown') return null;
    return reply.rest(0).map((_, index) => reply.integer(index));
  },
});

const FIELDS_OF_A_LOWERED_ONE = 3;

export const readLines = defineScript<ReadInput, LinesReading | null>({
  file: 'read-lines-4.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.lines, keys.credentials],
  args: ({ lines, credentialIds }) => [String(lines.length), ...lines, ...credentialIds],
  outcome(reply) {
    if (reply.oneOf('unknown', 'read') === 'unknown') return null;
    const lines = reply.integer(0);
    const first = lines + 1;
    const count = reply.rest(first).length / FIELDS_OF_A_LOWERED_ONE;
    return {
      inUse: Array.from({ length: lines }, (_, index) => reply.integer(index + 1)),
      lowered: Array.from({ length: count }, (_, index) => {
        const field = first + index * FIELDS_OF_A_LOWERED_ONE;
        const model = breakerNameSchema.parse(reply.text(field));
        return { model, places: reply.integer(field + 1), untilMs: reply.integer(field + 2) };
      }),
    };
  },
});

type LowerInput = Parameters<LineGate['lower']>[0];

export const lowerLine = defineScript<LowerInput, number>({
  file: 'lower-line-3.lua',
  keys: (keys) => [keys.holds, keys.lines, keys.credentials],
  args: ({ line, model, forMs }) => [line, model, naturalArgument('time of a lowered line', forMs)],
  outcome(reply) {
    reply.oneOf('lowered');
    return reply.integer(0);
  },
});

interface RestoreInput {
  readonly token: GateToken;
  readonly calls: readonly TakenLines[];
}

export const restoreLines = defineScript<RestoreInput, 'restored' | 'superseded'>({
  file: 'restore-lines-3.lua',
  keys: (keys) => [keys.gate, keys.lines, keys.credentials],
  args: ({ token, calls }) => [
    formatToken(token),
    ...calls.flatMap(({ callId, reservationId, accountId, lines }) => [
      callId,
      reservationId,
      accountId,
      String(lines.length),
      ...lines,
    ]),
  ],
  outcome: (reply) => reply.oneOf('restored', 'superseded'),
});
