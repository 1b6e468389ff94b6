import type { WorkerBody } from '@outdial/contracts';
import type { Tone } from '../../shared/words/tone.ts';

export interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  /** What the state means. */
  readonly hint: string;
}

export const WORKER_STATE_WORDS: Readonly<Record<WorkerBody['state'], StateWords>> = {
  taking: { label: 'Active', tone: 'good', hint: 'Takes calls from the queue.' },
  draining: { label: 'Draining', tone: 'active', hint: 'Takes no new calls. Its current calls continue.' },
  drained: { label: 'Drained', tone: 'neutral', hint: 'Has no calls and takes none. You can stop it.' },
  silent: {
    label: 'Not responding',
    tone: 'bad',
    hint: 'No heartbeat for ten seconds. Other workers end its calls when their leases expire.',
  },
};

/** Whether the worker is drained or draining. A silent worker's state is unknown, so it can still be drained. */
export function isDraining({ state }: Pick<WorkerBody, 'state'>): boolean {
  return state === 'draining' || state === 'drained';
}

/** Whether draining this worker would leave no active worker. */
export function isLastTaking(worker: Pick<WorkerBody, 'id' | 'state'>, workers: readonly WorkerBody[]): boolean {
  return worker.state === 'taking' && workers.every(({ id, state }) => id === worker.id || state !== 'taking');
}
