import type { AdmitDue, ScheduleStore, SweepCampaigns } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from './loop.ts';

export interface AdmissionLoopsDeps {
  readonly admitDue: Pick<AdmitDue, 'round' | 'expire' | 'onMoreDue'>;
  readonly store: Pick<ScheduleStore, 'mendTurns'>;
  readonly campaigns: SweepCampaigns;
  /** Receives what is to be called when campaigns have changed: it is looked at once. */
  readonly onCampaignsChanged: (listener: () => void) => void;
  /** Receives how many accounts were missed. */
  readonly onMissed: (count: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How late a call is at most, unless something holds it up. A round without due calls costs one statement. */
const ADMIT_EVERY_MS = 250;
const EXPIRE_EVERY_MS = 1_000;
/** How late a campaign begins or ends. Without one that has started, a sweep costs two short statements. */
const SWEEP_EVERY_MS = 750;
const MEASURE_EVERY_MS = 5_000;
const TIDY_EVERY_MS = 10_000;
const MEND_EVERY_MS = 60_000;

/** Admits scheduled calls. Any number of workers may do it at once. */
export function startAdmissionLoops(deps: AdmissionLoopsDeps): readonly Loop[] {
  const { admitDue, store, campaigns, onCampaignsChanged, onMissed, clock, logger } = deps;
  const start = (name: string, intervalMs: number, round: (stopping: AbortSignal) => Promise<unknown>) =>
    startLoop({ name, intervalMs, round, clock, logger, random: Math.random });
  const admitting = start('admit scheduled calls', ADMIT_EVERY_MS, (stopping) => admitDue.round(stopping));
  admitDue.onMoreDue(() => admitting.hint());
  const sweeping = start('sweep campaigns', SWEEP_EVERY_MS, (stopping) => campaigns.sweep(stopping));
  onCampaignsChanged(() => {
    admitting.hint();
    sweeping.hint();
  });
  return [
    admitting,
    sweeping,
    start('end expired scheduled calls', EXPIRE_EVERY_MS, (stopping) => admitDue.expire(stopping)),
    start('measure campaigns', MEASURE_EVERY_MS, (stopping) => campaigns.measure(stopping)),
    start('tidy campaigns', TIDY_EVERY_MS, (stopping) => campaigns.tidy(stopping)),
    start('mend turns', MEND_EVERY_MS, async () => {
      const missed = await store.mendTurns();
      if (missed === 0) return;
      onMissed(missed);
      logger.warn({ event: 'admission.turns_mended', count: missed }, 'accounts with due calls had no turn');
    }),
  ];
}
