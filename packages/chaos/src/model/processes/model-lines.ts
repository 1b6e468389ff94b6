import { lineNameOf, type LineDeps, type LineLimits } from '@outdial/calls';
import type { CallId, Driver } from '@outdial/contracts';
import { createLineStore, type Database } from '@outdial/persistence';
import { createLineGate } from '@outdial/reservations';
import type { Redis } from 'ioredis';
import type { CallKind, Profile } from '../profile.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** The lines of the world. Their pace is fast: time in a world stands still. */
export function linesOf({ lines }: Pick<Profile, 'lines'>): readonly LineLimits[] {
  return lines.map(({ maxCalls, owner }, index) => ({
    name: lineNameOf({ credentialId: `key-${index}`, accountId: null, group: null }, 'llm'),
    maxCalls,
    startsPerSecond: 1_000,
    isShared: owner === 'operator',
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
): LineDeps | undefined {
  if (profile.kinds.length === 0) return undefined;
  const lines = linesOf(profile);
  return {
    lineGate: createLineGate({ redis }),
    lineStore: createLineStore(database),
    lineDirectory: {
      linesOf: (callId) =>
        wire.send(process, 'postgres', 'lines of a call', async () =>
          (kindOf(profile, callId)?.lines ?? []).flatMap((at) => lines[at] ?? []),
        ),
    },
    drivers: index % 2 === 0 ? ALL_DRIVERS : ['scripted', 'realtime'],
  };
}
