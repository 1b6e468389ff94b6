import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../stack/stack.ts';
import { campaignViolations } from './campaigns.ts';
import { readGate } from './gate.ts';
import { moneyViolations } from './money.ts';
import { OPEN_HOLDS } from './open-holds.ts';

/** Checks the permanent invariants repeatedly while faults are active. */
export interface Watch {
  /** @returns each violation that any check found, once. */
  stop(): Promise<readonly string[]>;
}

const EVERY_MS = 500;
/** A check takes longer with more calls, and must not become the load itself. */
const REST_PER_LOOK = 5;

export function startWatch(stack: Stack): Watch {
  const broken = new Set<string>();
  let looks = 0;
  const stopping = new AbortController();

  async function look(): Promise<void> {
    for (const violation of await moneyViolations(stack)) broken.add(violation);
    for (const violation of await campaignViolations(stack)) broken.add(violation);
    for (const violation of await uncoveredCalls(stack)) broken.add(violation);
    looks += 1;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // A store that is down cannot be read; the next check can read it.
      const startedMs = performance.now();
      await look().catch(() => undefined);
      const restMs = Math.max(EVERY_MS, (performance.now() - startedMs) * REST_PER_LOOK);
      await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      // A check that never ran has proved nothing.
      return looks === 0 ? ['no check could run during the fault'] : [...broken];
    },
  };
}

interface OpenHold {
  readonly id: string;
  readonly micros: string;
}

/**
 * Invariant 3: an open gate holds at least what Postgres does. Postgres is read before and after the gate: a call
 * that was open both times was open in between.
 */
async function uncoveredCalls(stack: Stack): Promise<readonly string[]> {
  const before = await openHolds(stack);
  const gate = await readGate(stack);
  if (gate.token === null) return [];
  const after = new Set((await openHolds(stack)).map(({ id }) => id));
  return before
    .filter(({ id, micros }) => after.has(id) && (gate.holds.get(id)?.micros ?? -1n) < BigInt(micros))
    .map(({ id }) => `the open gate holds less than Postgres for an open call: ${id}`);
}

function openHolds(stack: Pick<Stack, 'sql'>): Promise<OpenHold[]> {
  return stack.sql<OpenHold>(`SELECT id::text, hold_micros::text AS micros FROM ${OPEN_HOLDS}`);
}
