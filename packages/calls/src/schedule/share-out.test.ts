import { agentIdSchema, campaignIdSchema, micros } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignLane } from '../ports/schedule-store.ts';
import { lineOf } from '../testing/lines/lines.ts';
import { MOST_PER_TURN, shareOut } from './share-out.ts';

const idOf = (index: number) => campaignIdSchema.parse(`0d000000-0000-4000-8000-${String(index).padStart(12, '0')}`);

const lane = (index: number, changes: Partial<CampaignLane> = {}): CampaignLane => ({
  campaignId: idOf(index),
  agentId: agentIdSchema.parse('0a000000-0000-4000-8000-000000000001'),
  agentVersion: 1,
  weight: 10,
  deficit: 0,
  dueCalls: 200,
  queueTtlSeconds: 600,
  contactsLeft: 1_000,
  openCalls: 0,
  queuedCalls: 0,
  admittingCalls: 0,
  maxConcurrent: null,
  paceCalls: null,
  callsPerSecond: null,
  budgetLeftMicros: null,
  window: null,
  ...changes,
});

const lanes = fc
  .array(
    fc.record({
      weight: fc.integer({ min: 1, max: 100 }),
      dueCalls: fc.nat({ max: 200 }),
      contactsLeft: fc.nat({ max: 300 }),
      openCalls: fc.nat({ max: 20 }),
      admittingCalls: fc.nat({ max: 5 }),
      maxConcurrent: fc.option(fc.integer({ min: 1, max: 60 })),
      paceCalls: fc.option(fc.nat({ max: 30 })),
      budgetLeftMicros: fc.option(fc.integer({ min: -5, max: 5 }).map((amount) => micros(amount))),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((changes, index) => lane(index, changes)));

const turns = fc.record({
  freeSlots: fc.integer({ min: -500, max: 500 }),
  dueCalls: fc.nat({ max: 200 }),
  campaignSlots: fc.integer({ min: -50, max: 400 }),
  campaigns: lanes,
});

const given = (turn: Parameters<typeof shareOut>[0]) =>
  [...shareOut(turn).campaigns.values()].reduce((sum, { calls }) => sum + calls, 0);

/** By the rules, one by one. */
function roomOf(campaign: CampaignLane): number {
  const bounds = [campaign.dueCalls + campaign.contactsLeft, MOST_PER_TURN];
  if (campaign.maxConcurrent !== null)
    bounds.push(campaign.maxConcurrent - campaign.openCalls - campaign.admittingCalls);
  if (campaign.paceCalls !== null) bounds.push(campaign.paceCalls);
  if (campaign.budgetLeftMicros !== null && campaign.budgetLeftMicros <= 0n) bounds.push(0);
  if (campaign.budgetLeftMicros !== null && campaign.admittingCalls > 0) bounds.push(0);
  return Math.max(0, Math.min(...bounds));
}

describe('the share of single calls', () => {
  it('is never above what is due, nor above what a turn admits, whatever campaigns wait', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { single } = shareOut(turn);
        expect(single).toBe(Math.min(Math.max(1, turn.freeSlots), turn.dueCalls, MOST_PER_TURN));
      }),
    );
  });
});

describe('the shares of campaigns', () => {
  it('exceed neither the slots that single calls leave, nor the account’s percent, nor any bound of a campaign', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { single, campaigns } = shareOut(turn);
        const slots = Math.min(turn.freeSlots - single, turn.campaignSlots, MOST_PER_TURN - single);
        expect(given(turn)).toBeLessThanOrEqual(Math.max(0, slots));
        for (const campaign of turn.campaigns) {
          expect(campaigns.get(campaign.campaignId)?.calls ?? 0).toBeLessThanOrEqual(roomOf(campaign));
        }
      }),
    );
  });

  it('leave no slot free that a campaign could use', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { single } = shareOut(turn);
        const slots = Math.max(0, Math.min(turn.freeSlots - single, turn.campaignSlots, MOST_PER_TURN - single));
        const room = turn.campaigns.reduce((sum, campaign) => sum + roomOf(campaign), 0);
        expect(given(turn)).toBe(Math.min(slots, room));
      }),
    );
  });

  it('are as their weights over many turns, and none is starved', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        (weights, freeSlots) => {
          let campaigns = weights.map((weight, index) => lane(index, { weight }));
          const totals = weights.map(() => 0);
          const turnCount = 400;
          for (let turn = 0; turn < turnCount; turn += 1) {
            const shares = shareOut({ freeSlots, dueCalls: 0, campaignSlots: 100, campaigns }).campaigns;
            campaigns = campaigns.map((campaign, index) => {
              const share = shares.get(campaign.campaignId) ?? { calls: 0, deficit: campaign.deficit };
              totals[index] = (totals[index] ?? 0) + share.calls;
              return { ...campaign, deficit: share.deficit };
            });
          }
          const sum = weights.reduce((all, weight) => all + weight, 0);
          weights.forEach((weight, index) => {
            expect(Math.abs((totals[index] ?? 0) - (turnCount * freeSlots * weight) / sum)).toBeLessThanOrEqual(
              weights.length,
            );
          });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('leave out a campaign that may not call now, and keep what it is owed', () => {
    const campaigns = [lane(1, { deficit: 0.5 }), lane(2)];
    const shares = shareOut(
      { freeSlots: 4, dueCalls: 0, campaignSlots: 4, campaigns },
      ({ campaignId }) => campaignId === idOf(2),
    );
    expect([...shares.campaigns.keys()]).toEqual([idOf(2)]);
    expect(shares.campaigns.get(idOf(2))?.calls).toBe(4);
  });

  it('are bounded by lines of their providers, which campaigns share, and what is left goes to others', () => {
    const campaigns = [lane(1), lane(2), lane(3), lane(4)];
    const [one, two] = [lineOf('one', 5).name, lineOf('two', 9).name];
    const shares = shareOut({ freeSlots: 40, dueCalls: 0, campaignSlots: 40, campaigns }, () => true, {
      needs: new Map([
        [idOf(1), [one]],
        [idOf(2), [one, two]],
        [idOf(3), [two]],
      ]),
      most: new Map([[idOf(3), 0]]),
      left: new Map([
        [one, 5],
        [two, 9],
      ]),
    });
    const calls = (index: number) => shares.campaigns.get(idOf(index))?.calls ?? 0;
    expect([calls(1) + calls(2), calls(3), calls(4)]).toEqual([5, 0, 35]);
    expect([1, 2, 3, 4].map((index) => shares.campaigns.get(idOf(index))?.lacksLine)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('never exceed what is left of a line, and use all of it', () => {
    fc.assert(
      fc.property(turns, fc.nat({ max: 30 }), (turn, places) => {
        const { name } = lineOf('one', places);
        const needs = new Map(turn.campaigns.map(({ campaignId }) => [campaignId, [name]]));
        const { single, campaigns } = shareOut(turn, () => true, {
          needs,
          most: new Map(),
          left: new Map([[name, places]]),
        });
        const slots = Math.max(0, Math.min(turn.freeSlots - single, turn.campaignSlots, MOST_PER_TURN - single));
        const room = turn.campaigns.reduce((sum, campaign) => sum + roomOf(campaign), 0);
        const sum = [...campaigns.values()].reduce((all, { calls }) => all + calls, 0);
        expect(sum).toBe(Math.min(slots, room, places));
      }),
    );
  });
});
