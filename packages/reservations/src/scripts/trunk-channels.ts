import type {
  AcquireOutcome,
  GateToken,
  SystemLimits,
  TakenChannel,
  TakeOutcome,
  TrunkLimits,
  TrunkChannels,
} from '@outdial/calls';
import { trunkNameSchema } from '@outdial/contracts';
import { formatToken } from '../token.ts';
import { naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

type AcquireInput = Parameters<TrunkChannels['acquire']>[0];
type TakeInput = Parameters<TrunkChannels['take']>[0];

export function trunkArguments({ name, channels, callsPerSecond }: TrunkLimits): readonly string[] {
  return [name, naturalArgument('channels', channels), naturalArgument('calls per second', callsPerSecond)];
}

export const acquire = defineScript<AcquireInput, AcquireOutcome>({
  file: 'acquire-4.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.channels, keys.trunks],
  args: ({ callId, trunks }) => [callId, ...trunks.flatMap(trunkArguments)],
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
      case 'not_held':
        return { kind: reply.kind };
      case 'stale':
        return { kind: 'stale', token: reply.token(0) };
      case 'acquired':
        return { kind: 'acquired', trunk: trunkNameSchema.parse(reply.text(0)) };
      case 'wait':
        return { kind: 'wait', forMs: reply.integer(0) };
      default:
        return reply.unexpected();
    }
  },
});

export const take = defineScript<TakeInput, TakeOutcome>({
  file: 'take-4.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.channels, keys.trunks],
  args: ({ callId, reservationId, trunk }) => [callId, reservationId, ...trunkArguments(trunk)],
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
      case 'not_held':
      case 'full':
        return { kind: reply.kind };
      case 'stale':
      case 'taken':
        return { kind: reply.kind, token: reply.token(0) };
      case 'wait':
        return { kind: 'wait', forMs: reply.integer(0) };
      default:
        return reply.unexpected();
    }
  },
});

export const limitSystem = defineScript<SystemLimits, 'limited' | 'unchanged' | 'closed'>({
  file: 'limit-system-1.lua',
  keys: (keys) => [keys.gate],
  args: ({ capacity, capacityVersion }) => [
    naturalArgument('system capacity', capacity),
    naturalArgument('system capacity version', capacityVersion),
  ],
  outcome: (reply) => reply.oneOf('limited', 'unchanged', 'closed'),
});

interface RestoreInput {
  readonly token: GateToken;
  readonly channels: readonly TakenChannel[];
}

export const restoreChannels = defineScript<RestoreInput, 'restored' | 'superseded'>({
  file: 'restore-channels-3.lua',
  keys: (keys) => [keys.gate, keys.channels, keys.trunks],
  args: ({ token, channels }) => [
    formatToken(token),
    ...channels.flatMap(({ callId, reservationId, trunk }) => [callId, reservationId, trunk]),
  ],
  outcome: (reply) => reply.oneOf('restored', 'superseded'),
});
