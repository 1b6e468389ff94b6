import { expect, test } from 'vitest';
import { walkGate } from '../test/gate-walks.ts';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

const OUTCOMES = [
  ...['closed', 'reserved', 'duplicate', 'account_unknown', 'insufficient_funds'].map((kind) => `reserve ${kind}`),
  ...['account', 'system'].map((scope) => `reserve capacity_exceeded ${scope}`),
  ...['closed', 'not_held', 'enlarged', 'insufficient_funds'].map((kind) => `enlarge ${kind}`),
  ...['closed', 'released', 'not_held'].map((kind) => `release ${kind}`),
  ...['closed', 'loaded'].map((kind) => `loadAccount ${kind}`),
  ...['closed', 'refreshed', 'unchanged'].map((kind) => `refreshAccount ${kind}`),
  ...['closed', 'refreshed', 'unchanged'].map((kind) => `refreshSystem ${kind}`),
  ...['begun', 'under_way', 'not_needed'].map((kind) => `beginRebuild ${kind}`),
  ...['published', 'superseded'].map((kind) => `publish ${kind}`),
];

test(
  'random operations reach every outcome of the gate, and all are those of the model',
  { timeout: 600_000 },
  async () => {
    const { steps, seen } = await walkGate(under, 150);
    expect(steps).toBeGreaterThan(5_000);
    // A walk that never reached an outcome has proved nothing about it.
    expect(OUTCOMES.filter((name) => !seen.has(name))).toEqual([]);
  },
);
