import { setTimeout as sleep } from 'node:timers/promises';
import { MODEL_LINES } from '../stack/models.ts';
import { countWithEvent, underConductedLoad } from './conducted-load.ts';
import type { Fault } from './fault.ts';
import { untilEnded } from './observe.ts';

/** A call connects again twice. */
const DROPS = 2;
const BETWEEN_MS = 4_000;

/** Every connection to the providers is reset, twice, while models conduct calls. */
export const providerDrops: Fault = {
  name: 'provider-drops',
  expectation:
    'calls go on over new connections or end provider_unavailable; a neighbor’s scripted calls notice nothing',
  carrier: 'sip',
  run: (context) =>
    underConductedLoad(context, async ({ account, models, place, untilTalking }) => {
      const ids = await place(MODEL_LINES);
      await untilTalking();
      for (let drop = 0; drop < DROPS; drop += 1) {
        models.wire.cut();
        await sleep(BETWEEN_MS);
      }
      await untilEnded(context.stack, ids);
      return { injected: DROPS, hit: await countWithEvent(context.stack, account, 'provider_recovered') };
    }),
};
