import type { PinnedModel } from '@outdial/calls';
import type { RunJob } from '@outdial/persistence';

/** Whose models a run uses, in the order of its pinned models. */
export const ROLES = ['agent', 'judge', 'persona'] as const;
export type RunRole = (typeof ROLES)[number];

/**
 * The pinned models of each role. An agent has one that answers, and those that it delegates to; the judge has one, and so has a
 * persona that a model plays.
 */
export function modelsByRole({
  models,
  scenario: { persona },
}: Pick<RunJob, 'models' | 'scenario'>): Readonly<Record<RunRole, readonly PinnedModel[]>> {
  const judgeAt = models.length - (persona.kind === 'model' ? 2 : 1);
  return {
    agent: models.slice(0, Math.max(0, judgeAt)),
    judge: models.slice(judgeAt, judgeAt + 1),
    persona: models.slice(judgeAt + 1),
  };
}
