import { z } from 'zod';

/**
 * What a worker does. `calls`: drives calls and repairs what crashed workers left. `analysis`: analyzes ended calls and
 * conducts conversations in text. `webhooks`: sends webhooks. `campaigns`: admits scheduled calls to the queue.
 */
export const WORKER_ROLES = ['calls', 'analysis', 'webhooks', 'campaigns'] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

/** Roles, separated by commas. */
export const envWorkerRoles = z.string().transform((text, context): ReadonlySet<WorkerRole> => {
  const roles = new Set<WorkerRole>();
  for (const name of text.split(',').map((part) => part.trim())) {
    const role = WORKER_ROLES.find((known) => known === name);
    if (role === undefined) {
      context.addIssue(`must list roles with commas, of ${WORKER_ROLES.join(', ')}: "${name}" is none`);
      return z.NEVER;
    }
    roles.add(role);
  }
  return roles;
});
