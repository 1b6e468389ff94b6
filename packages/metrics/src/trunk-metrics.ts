import type { TakenChannel, Trunk, TrunkCondition } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { SYSTEM_GAUGES } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauges } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

/** The trunks as one worker knows them, with the calls of all workers on them. */
export interface TrunkReading {
  readonly trunks: readonly Pick<Trunk, 'name' | 'channels' | 'enabled'>[];
  readonly conditions: readonly TrunkCondition[];
  readonly taken: readonly TakenChannel[];
}

export interface TrunkMetricsDeps {
  readonly read: () => Promise<TrunkReading>;
  readonly clock: Clock;
}

const NOTHING: TrunkReading = { trunks: [], conditions: [], taken: [] };

/** A trunk that is switched off is told of for as long as it carries calls: by its channels in use alone. */
export function measureTrunks(
  { registry, beforeScrape }: Exposition,
  successes: ReadingSuccess,
  deps: TrunkMetricsDeps,
): void {
  const up = openGauges(registry, SYSTEM_GAUGES.trunkUp);
  const channels = openGauges(registry, SYSTEM_GAUGES.trunkChannels);
  const inUse = openGauges(registry, SYSTEM_GAUGES.trunkChannelsInUse);
  beforeScrape(
    createReading({
      clock: deps.clock,
      read: deps.read,
      show(reading) {
        successes.note('trunks', reading !== null);
        const { trunks, conditions, taken } = reading ?? NOTHING;
        const enabled = trunks.filter((trunk) => trunk.enabled);
        up(new Map(conditions.map(({ trunk, state }) => [trunk, Number(state === 'up')])));
        channels(new Map(enabled.map((trunk) => [trunk.name, trunk.channels])));
        const calls = new Map<string, number>(enabled.map(({ name }) => [name, 0]));
        for (const { trunk } of taken) calls.set(trunk, (calls.get(trunk) ?? 0) + 1);
        inUse(calls);
      },
    }),
  );
}
