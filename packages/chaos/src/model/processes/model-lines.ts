import {
  breakersOf,
  lineNameOf,
  type Breakers,
  type CallOfModel,
  type LineDeps,
  type LineLimits,
  type PinnedModel,
} from '@outdial/calls';
import { accountIdSchema, agentIdSchema, type CallId, type Driver } from '@outdial/contracts';
import { createLineStore, type Database } from '@outdial/persistence';
import { createBreakers, createLineGate } from '@outdial/reservations';
import type { Redis } from 'ioredis';
import type { CallKind, Profile } from '../profile.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** The model that a line leads to. */
export function modelOf({ lines }: Pick<Profile, 'lines'>, index: number): PinnedModel {
  const isOwn = lines[index]?.owner === 'own';
  return { component: 'llm', provider: 'openai', model: 'gpt', credentialId: `key-${index}`, isOwn, isFallback: false };
}

/** A model's breaker depends on no call, except for those of one account or one version of an agent. */
const ANY_CALL: CallOfModel = {
  accountId: accountIdSchema.parse('00000000-0000-4000-8000-000000000001'),
  agentId: agentIdSchema.parse('00000000-0000-4000-8000-000000000001'),
  agentVersion: 1,
};

/** The lines of the world. Their pace is fast: time in a world stands still. */
export function linesOf({ lines }: Pick<Profile, 'lines'>): readonly LineLimits[] {
  return lines.map(({ maxCalls, owner }, index) => ({
    name: lineNameOf({ credentialId: `key-${index}`, accountId: null, group: null }, 'llm'),
    maxCalls,
    startsPerSecond: 1_000,
    isShared: owner === 'operator',
    isClosed: false,
    breakers: [breakersOf(modelOf({ lines }, index), ANY_CALL).model],
  }));
}

/** How the call is conducted; the trigger that adds its row counts the same way. */
export function kindOf({ kinds }: Pick<Profile, 'kinds'>, callId: CallId): CallKind {
  return kinds[Math.floor(Number.parseInt(callId.slice(-6), 16) / 2) % kinds.length] ?? null;
}

const ALL_DRIVERS: readonly Driver[] = ['scripted', 'realtime', 'cascade'];

interface ModelLinesInput {
  readonly process: Process;
  readonly redis: Redis;
  readonly database: Database;
  readonly index: number;
}

/** A worker's way to lines; undefined in a world of scripted calls. Every second worker knows one driver less. */
export function modelLines(
  { wire, profile }: World,
  { process, redis, database, index }: ModelLinesInput,
): (LineDeps & { readonly breakers: Breakers }) | undefined {
  if (profile.kinds.length === 0) return undefined;
  const lines = linesOf(profile);
  return {
    lineGate: createLineGate({ redis }),
    breakers: createBreakers({ redis }),
    lineStore: createLineStore(database),
    lineDirectory: {
      linesOf: (callId) =>
        wire.send(process, 'postgres', 'lines of a call', async () =>
          (kindOf(profile, callId)?.lines ?? []).flatMap((at) => lines[at] ?? []),
        ),
      linesOfPlan: async () => [],
      lineOfModel: async () => null,
      lineOfFallback: async () => null,
    },
    drivers: index % 2 === 0 ? ALL_DRIVERS : ['scripted', 'realtime'],
  };
}
