import { MODEL_LINES } from '../stack/models.ts';
import { countWithEvent, underConductedLoad } from './conducted-load.ts';
import type { Fault } from './fault.ts';
import { untilEnded } from './observe.ts';

const WAYS = ['dies', 'blocks'] as const;

/** The model thread of every worker dies while models conduct its calls, then it blocks for a minute. */
export const modelThreadKilled: Fault = {
  name: 'model-thread-killed',
  expectation:
    'its calls end provider_unavailable, later ones are conducted; a neighbor’s scripted calls notice nothing',
  carrier: 'sip',
  run: (context) =>
    underConductedLoad(context, async ({ account, place, untilTalking }) => {
      const { stack } = context;
      const violations: string[] = [];
      let hit = 0;
      for (const how of WAYS) {
        const ids = await place(MODEL_LINES);
        await untilTalking();
        await Promise.all(stack.workers.map((worker) => worker.strikeModels(how)));
        await untilEnded(stack, ids);
        const failed = await countWithEvent(stack, account, 'provider_failed');
        if (failed === hit) violations.push(`no call lost its model thread that ${how}`);
        hit = failed;
      }
      return { injected: WAYS.length * stack.workers.length, hit, violations };
    }),
};
