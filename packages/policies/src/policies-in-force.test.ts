import { expect, test } from 'vitest';
import { policyWith } from '../test/policies.ts';
import { capsOf } from './policies-in-force.ts';

test('the caps of policy and floor all hold, each once', () => {
  const policy = policyWith({
    caps: [
      { hours: 168, max: 7 },
      { hours: 24, max: 3 },
    ],
  });
  const floor = policyWith({
    caps: [
      { hours: 24, max: 3 },
      { hours: 24, max: 2 },
    ],
  });
  expect(capsOf({ policy, floor })).toEqual([
    { hours: 24, max: 2 },
    { hours: 24, max: 3 },
    { hours: 168, max: 7 },
  ]);
  expect(capsOf({ policy: null, floor })).toHaveLength(2);
  expect(capsOf({ policy: null, floor: null })).toEqual([]);
});
