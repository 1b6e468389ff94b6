import { expect, test } from 'vitest';
import { walkGate } from '../test/gate-walks.ts';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

/** `gate.model.verify.test.ts` has more walks, until every outcome has occurred. */
test('under random operations the gate answers and stores what the model says, at every step', async () => {
  expect((await walkGate(under, 30)).steps).toBeGreaterThan(500);
});
