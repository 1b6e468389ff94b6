import {
  microsToDecimal,
  micros,
  MAX_TOTALS_DAYS,
  totalsQuerySchema,
  totalsSchema,
  type CallSumsBody,
  type EndedReason,
} from '@outdial/contracts';
import type { CallSums } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import { invalidRequest } from '../../http/api-error.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { daysOf, isTimeZone, stepBounds, type DateSpan, type Steps } from './step-bounds.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/totals',
  params: NO_PARAMS,
  query: totalsQuerySchema,
  body: NO_BODY,
  responses: { 200: totalsSchema },
  errors: [],
});

const NOTHING: CallSums = {
  calls: 0,
  answered: 0,
  costMicros: micros(0),
  waitingMs: 0,
  ringingMs: 0,
  talkingMs: 0,
};

export function getTotalsRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query: { from, to, time_zone } }) => {
    const { step, bounds } = stepsOf({ from, to, timeZone: time_zone });
    const totals = await ownAccountOf(deps, principal).totals(bounds);
    const steps = bounds.slice(0, -1).map((startsAtMs, at) => {
      const rows = totals.steps.filter((row) => row.step === at);
      const reasons = rows.map(({ endedReason, calls }): [EndedReason, number] => [endedReason, calls]);
      return { starts_at: timestamp(startsAtMs), ...present(addUp(rows)), reasons: Object.fromEntries(reasons) };
    });
    return {
      status: 200,
      body: {
        from,
        to,
        time_zone,
        currency: principal.account.currency,
        is_complete: totals.isComplete,
        all: present(addUp(totals.steps)),
        step,
        steps,
        agents: totals.agents.map(({ subject, name, sums }) => ({ agent_id: subject, name, ...present(sums) })),
        numbers: totals.numbers.map(({ subject, sums }) => ({ number: subject, ...present(sums) })),
      },
    };
  });
}

function stepsOf(span: DateSpan): Steps {
  const days = daysOf(span);
  if (days < 1) throw invalidRequest([{ param: 'to', message: 'must not be before from' }]);
  if (days > MAX_TOTALS_DAYS) {
    throw invalidRequest([{ param: 'to', message: `must be at most ${MAX_TOTALS_DAYS} days after from` }]);
  }
  if (!isTimeZone(span.timeZone)) {
    throw invalidRequest([{ param: 'time_zone', message: 'must be the name of a time zone, such as Europe/Berlin' }]);
  }
  const steps = stepBounds(span);
  if (steps !== null) return steps;
  const message = 'must be a zone whose days begin on the hour or the half hour of UTC: use UTC instead';
  throw invalidRequest([{ param: 'time_zone', message }]);
}

function addUp(rows: readonly CallSums[]): CallSums {
  return rows.reduce(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      answered: sum.answered + row.answered,
      costMicros: micros(sum.costMicros + row.costMicros),
      waitingMs: sum.waitingMs + row.waitingMs,
      ringingMs: sum.ringingMs + row.ringingMs,
      talkingMs: sum.talkingMs + row.talkingMs,
    }),
    NOTHING,
  );
}

function present({ calls, answered, costMicros, waitingMs, ringingMs, talkingMs }: CallSums): CallSumsBody {
  return {
    calls,
    answered,
    cost: microsToDecimal(costMicros),
    waiting_seconds: waitingMs / 1_000,
    ringing_seconds: ringingMs / 1_000,
    talking_seconds: talkingMs / 1_000,
  };
}
