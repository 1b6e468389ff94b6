import type { WorkerBody } from '@outdial/contracts';
import type { Tone } from '../../shared/words/tone.ts';

export interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  /** What it means. */
  readonly hint: string;
}

export const WORKER_STATE_WORDS: Readonly<Record<WorkerBody['state'], StateWords>> = {
  taking: { label: 'Taking calls', tone: 'good', hint: 'It takes calls off the queue.' },
  draining: { label: 'Draining', tone: 'active', hint: 'It takes no more calls; those that it has go on.' },
  drained: { label: 'Drained', tone: 'neutral', hint: 'It has no calls and takes none: it can be stopped.' },
  silent: {
    label: 'Silent',
    tone: 'bad',
    hint: 'Nothing was heard of it for ten seconds. Others end its calls once their leases are over.',
  },
};

/** Whether it is to take calls again: of a silent one nobody knows, and it can still be told. */
export function isHeldBack({ state }: Pick<WorkerBody, 'state'>): boolean {
  return state === 'draining' || state === 'drained';
}

/** Whether no worker would take calls once this one is drained. */
export function isLastTaking(worker: Pick<WorkerBody, 'id' | 'state'>, workers: readonly WorkerBody[]): boolean {
  return worker.state === 'taking' && workers.every(({ id, state }) => id === worker.id || state !== 'taking');
}
