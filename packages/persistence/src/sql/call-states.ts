import { CALL_STATES, statusesBefore, statusesIn, type CallPhase, type CallTrigger } from '@outdial/calls';
import type { CallStatus, EndedReason } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Prisma } from '../generated/client.ts';

/**
 * Statuses and ended reasons as literals of a statement, from the call-state table and the closed list of reasons. No
 * statement of this package writes one by hand: `call-states.test.ts` checks that.
 *
 * Literals rather than parameters: Postgres infers the type of a literal in places where a parameter already has one.
 */

/** For `IN`: the statuses of these phases, such as `('dialing', 'ringing', 'in_progress')`. */
export function sqlStatusesIn(...phases: readonly CallPhase[]): Prisma.Sql {
  return sqlList(phases.flatMap((phase) => statusesIn(phase)));
}

/** The status of a phase that has only one. The event of the timeline has the same name. */
export function sqlOnlyStatusIn(phase: CallPhase): Prisma.Sql {
  const [status, ...others] = statusesIn(phase);
  invariant(status !== undefined && others.length === 0, 'the phase has one status');
  return Prisma.raw(`'${status}'`);
}

/** For `IN`: the statuses in which the trigger applies. */
export function sqlStatusesBefore(trigger: CallTrigger): Prisma.Sql {
  return sqlList(statusesBefore(trigger));
}

/** The status that the trigger leads to. The event of the timeline has the same name. */
export function sqlStatusAfter(trigger: CallTrigger): Prisma.Sql {
  return Prisma.raw(`'${CALL_STATES.transitions[trigger].to}'`);
}

export function sqlReason(reason: EndedReason): Prisma.Sql {
  return Prisma.raw(`'${reason}'`);
}

function sqlList(statuses: readonly CallStatus[]): Prisma.Sql {
  return Prisma.raw(`(${statuses.map((status) => `'${status}'`).join(', ')})`);
}
