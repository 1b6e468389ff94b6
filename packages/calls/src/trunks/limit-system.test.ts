import { expect, test } from 'vitest';
import { trunkOf } from '../testing/trunks/trunk-of.ts';
import type { SystemLimits } from '../ports/gate.ts';
import { limitSystem } from './limit-system.ts';

test.each([
  [1_000, 50],
  [40, 40],
] as const)('with a setting of %d and trunks for 50, up or down, the system accepts %d', async (capacity, accepted) => {
  const limits: SystemLimits[] = [];
  const trunks = [
    trunkOf({ name: 'a', channels: 30 }),
    trunkOf({ name: 'b', channels: 20 }),
    trunkOf({ name: 'off', channels: 500, enabled: false }),
  ];
  await limitSystem({
    reconcileStore: { systemLimits: async () => ({ capacity, capacityVersion: 7 }) },
    trunkDirectory: { all: async () => trunks },
    trunkChannels: {
      limitSystem: async (limit) => {
        limits.push(limit);
        return 'limited';
      },
    },
  });
  expect(limits).toEqual([{ capacity: accepted, capacityVersion: 7 }]);
});
