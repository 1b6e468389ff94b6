import type { TrunkConditionBody } from '@outdial/contracts';

type ConditionState = TrunkConditionBody['conditions'][number]['state'];

export interface TrunkHealthWords {
  readonly label: string;
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
  /** What happened on the wire, each once. */
  readonly details: readonly string[];
}

const WORDS: Readonly<Record<Exclude<ConditionState, 'up'>, string>> = {
  unreachable: 'Unreachable',
  congested: 'Congested',
  unauthorized: 'Refuses our credentials',
};

/** In one word if the workers agree; how many of them see it so if they do not. */
export function healthOf({
  enabled,
  conditions,
}: Pick<TrunkConditionBody, 'enabled' | 'conditions'>): TrunkHealthWords {
  if (!enabled) return { label: 'Disabled', tone: 'neutral', details: [] };
  if (conditions.length === 0)
    return { label: 'Not known', tone: 'warning', details: ['No worker told of it lately.'] };
  const ailing = conditions.flatMap(({ state, detail }) => (state === 'up' ? [] : [{ state, detail }]));
  const [first] = ailing;
  if (first === undefined) return { label: 'Up', tone: 'good', details: [] };
  const isAgreed = ailing.length === conditions.length;
  const label = isAgreed ? WORDS[first.state] : `${WORDS[first.state]} for ${ailing.length} of ${conditions.length}`;
  const details = new Set(ailing.flatMap(({ detail }) => (detail === null ? [] : [detail])));
  return { label, tone: 'bad', details: [...details] };
}
