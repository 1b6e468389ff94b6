import { setTimeout as sleep } from 'node:timers/promises';
import { MODEL_LINES } from '../stack/models.ts';
import { underConductedLoad } from './conducted-load.ts';
import type { Fault } from './fault.ts';
import { untilEnded } from './observe.ts';

const LIMITED_MS = 15_000;

/** The providers cut half of the calls off and answer everything with 429; then the other half is placed. */
export const provider429: Fault = {
  name: 'provider-429',
  expectation:
    'calls end provider_unavailable or wait, and are conducted afterwards; a neighbor’s calls notice nothing',
  carrier: 'sip',
  run: (context) =>
    underConductedLoad(context, async ({ models, place, untilTalking }) => {
      const talking = await place(MODEL_LINES / 2);
      await untilTalking();
      const limitedBefore = models.limited();
      models.limit(true);
      const placed = await place(MODEL_LINES / 2);
      await sleep(LIMITED_MS);
      models.limit(false);
      await untilEnded(context.stack, [...talking, ...placed]);
      return { injected: 1, hit: models.limited() - limitedBefore };
    }),
};
