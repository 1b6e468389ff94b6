import type { TrunkConditionBody } from '@outdial/contracts';

type ConditionState = TrunkConditionBody['conditions'][number]['state'];

export interface TrunkHealthWords {
  readonly label: string;
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
  /** What the workers observed, without repeats. */
  readonly details: readonly string[];
}

const WORDS: Readonly<Record<Exclude<ConditionState, 'up'>, string>> = {
  unreachable: 'Unreachable',
  congested: 'Congested',
  unauthorized: 'Credentials rejected',
};

/** One word if the workers agree, else how many of them report the problem. */
export function healthOf({
  enabled,
  conditions,
}: Pick<TrunkConditionBody, 'enabled' | 'conditions'>): TrunkHealthWords {
  if (!enabled) return { label: 'Disabled', tone: 'neutral', details: [] };
  if (conditions.length === 0) return { label: 'Unknown', tone: 'warning', details: ['No worker reported recently.'] };
  const unhealthy = conditions.flatMap(({ state, detail }) => (state === 'up' ? [] : [{ state, detail }]));
  const [first] = unhealthy;
  if (first === undefined) return { label: 'Up', tone: 'good', details: [] };
  const isAgreed = unhealthy.length === conditions.length;
  const label = isAgreed
    ? WORDS[first.state]
    : `${WORDS[first.state]} from ${unhealthy.length} of ${conditions.length} workers`;
  const details = new Set(unhealthy.flatMap(({ detail }) => (detail === null ? [] : [detail])));
  return { label, tone: 'bad', details: [...details] };
}
