import { e164Schema, type AttemptCap } from '@outdial/contracts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialed, dialsOf, savePolicy } from '../../test/policies.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');
const LONGEST_MS = 720 * HOUR_MS;
let numbers = 12_025_550_000;
const nextNumber = () => e164Schema.parse(`+${(numbers += 1)}`);

interface Dial {
  readonly atMs: number;
  /** The call's entry that moves; null for another call. */
  readonly ownMs: number | null;
}

async function grantAll(number: string, dials: readonly Dial[]): Promise<readonly boolean[]> {
  const granted: boolean[] = [];
  for (const { atMs, ownMs } of dials) granted.push(await grant(number, atMs, ownMs));
  return granted;
}

async function grant(number: string, atMs: number, ownMs: number | null = null): Promise<boolean> {
  const [row] = await world.database.side.$queryRaw<{ granted: boolean }[]>`
    SELECT grant_dial(${party.accountId}::uuid, ${number}, from_epoch_ms(${ownMs}::bigint), from_epoch_ms(${atMs}::bigint))
      AS granted`;
  return row?.granted ?? false;
}

async function reachedUntil(number: string, atMs: number): Promise<readonly number[]> {
  const rows = await world.database.side.$queryRaw<{ untilMs: number }[]>`
    SELECT epoch_ms(c.until) AS "untilMs"
    FROM caps_reached(${party.accountId}::uuid, ${number}, from_epoch_ms(${atMs}::bigint), NULL) c ORDER BY 1`;
  return rows.map(({ untilMs }) => untilMs);
}

/** Every dial that was ever granted, counted one by one. */
class SlowCount {
  readonly #dials: number[] = [];
  readonly #caps: readonly AttemptCap[];

  constructor(caps: readonly AttemptCap[]) {
    this.#caps = caps;
  }

  get dials(): readonly number[] {
    return this.#dials;
  }

  grant({ atMs, ownMs }: Dial): boolean {
    const others = [...this.#dials];
    const own = ownMs === null ? -1 : others.indexOf(ownMs);
    if (own >= 0) others.splice(own, 1);
    if (this.#caps.length === 0) return true;
    const isReached = ({ hours, max }: AttemptCap) =>
      others.filter((each) => each > atMs - hours * HOUR_MS).length >= max;
    if (this.#caps.some(isReached)) return false;
    this.#dials.splice(0, Infinity, ...others, atMs);
    return true;
  }

  /** When each cap that is reached lets another dial through: by trying each moment at which an entry becomes too old. */
  reachedUntil(atMs: number): readonly number[] {
    return this.#caps
      .flatMap(({ hours, max }) => {
        const counts = (when: number) => this.#dials.filter((each) => each > when - hours * HOUR_MS).length;
        if (counts(atMs) < max) return [];
        const ends = this.#dials.map((each) => each + hours * HOUR_MS).toSorted((one, other) => one - other);
        return ends.filter((end) => end > atMs && counts(end) < max).slice(0, 1);
      })
      .toSorted((one, other) => one - other);
  }
}

const cap = fc.record({ hours: fc.constantFrom(1, 2, 24, 168, 720), max: fc.constantFrom(1, 2, 3, 7, 50) });
/** Steps in time; `own` chooses an entry of before to move. Several calls may have the same moment. */
const step = fc.record({
  afterMs: fc.oneof(
    fc.constantFrom(0, 1, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS, 24 * HOUR_MS, LONGEST_MS),
    fc.integer({ min: 0, max: 30 * HOUR_MS }),
  ),
  own: fc.option(fc.nat(), { freq: 2 }),
});

test('grants are those of a count of every dial, for any caps, times and repeated claims', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cap, { maxLength: 3 }), fc.array(step, { maxLength: 14 }), async (caps, steps) => {
      await savePolicy(world.database, party.accountId, { caps });
      const [number, slow] = [nextNumber(), new SlowCount(caps)];
      const dials: Dial[] = [];
      const expected: boolean[] = [];
      let atMs = NOW;
      for (const { afterMs, own } of steps) {
        atMs += afterMs;
        const ownMs = own === null || slow.dials.length === 0 ? null : (slow.dials[own % slow.dials.length] ?? null);
        dials.push({ atMs, ownMs });
        expected.push(slow.grant({ atMs, ownMs }));
      }
      expect(await grantAll(number, dials)).toEqual(expected);
      expect(await reachedUntil(number, atMs)).toEqual(slow.reachedUntil(atMs));
    }),
    { numRuns: 60 },
  );
});

describe('a cap', () => {
  test('of the longest period and the most calls is exact: 50 in 720 hours', async () => {
    await savePolicy(world.database, party.accountId, { caps: [{ hours: 720, max: 50 }] });
    const number = nextNumber();
    const dials = Array.from({ length: 51 }, (_, nth) => ({ atMs: NOW + nth * 1_000, ownMs: null }));
    expect((await grantAll(number, dials)).indexOf(false)).toBe(50);
    expect(await dialsOf(world.database, { ...party, number })).toHaveLength(50);
    expect(await reachedUntil(number, NOW + 60_000)).toEqual([NOW + LONGEST_MS]);
    expect(await grant(number, NOW + LONGEST_MS - 1)).toBe(false);
    expect(await grant(number, NOW + LONGEST_MS)).toBe(true);
    expect(await grant(number, NOW + LONGEST_MS)).toBe(false);
    expect(await dialsOf(world.database, { ...party, number })).toHaveLength(50);
  });

  test('counts what another policy let be counted, and no entry is older than 720 hours', async () => {
    await savePolicy(world.database, party.accountId, { caps: [{ hours: 1, max: 50 }] });
    const number = nextNumber();
    await grantAll(
      number,
      [NOW, NOW + 1_000, NOW + LONGEST_MS].map((atMs) => ({ atMs, ownMs: null })),
    );
    await savePolicy(world.database, party.accountId, { caps: [{ hours: 720, max: 2 }] });
    expect(await dialsOf(world.database, { ...party, number })).toEqual([NOW + 1_000, NOW + LONGEST_MS]);
    expect(await grant(number, NOW + LONGEST_MS + 999)).toBe(false);
    expect(await grant(number, NOW + LONGEST_MS + 1_000)).toBe(true);
  });

  test('of another account, or of another number, has its own count', async () => {
    const stranger = await world.party();
    for (const { accountId } of [party, stranger])
      await savePolicy(world.database, accountId, { caps: [{ hours: 1, max: 1 }] });
    const number = nextNumber();
    await dialed(world.database, { accountId: stranger.accountId, number }, [1]);
    const nowMs = Date.now();
    expect(await grant(number, nowMs)).toBe(true);
    expect(await grant(number, nowMs + 1)).toBe(false);
    expect(await grant(nextNumber(), nowMs)).toBe(true);
  });

  test('holds for dials that many workers ask for at once', async () => {
    await savePolicy(world.database, party.accountId, { caps: [{ hours: 1, max: 3 }] });
    const number = nextNumber();
    const granted = await Promise.all(Array.from({ length: 20 }, (_, nth) => grant(number, NOW + nth)));
    expect(granted.filter(Boolean)).toHaveLength(3);
    expect(await dialsOf(world.database, { ...party, number })).toHaveLength(3);
  });

  test('counts two calls of one moment as two, also when one of them is claimed again', async () => {
    await savePolicy(world.database, party.accountId, { caps: [{ hours: 1, max: 2 }] });
    const number = nextNumber();
    expect(
      await grantAll(
        number,
        [NOW, NOW].map((atMs) => ({ atMs, ownMs: null })),
      ),
    ).toEqual([true, true]);
    expect(await grant(number, NOW + 500, NOW)).toBe(true);
    expect(await dialsOf(world.database, { ...party, number })).toEqual([NOW, NOW + 500]);
    expect(await grant(number, NOW + 600)).toBe(false);
  });
});
