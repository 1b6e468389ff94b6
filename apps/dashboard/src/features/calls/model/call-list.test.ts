import { callSchema, CALL_STATUSES, type ChangedCall } from '@outdial/contracts';
import { array, assert, constantFrom, integer, oneof, property, record, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { callFiltersSchema, matchesFilters, type CallFilters } from './call-filters.ts';
import { appendPage, applyChanges, EMPTY_LIST, type CallList } from './call-list.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const AGENTS = [uuid(1_001), uuid(1_002)];
const NUMBERS = ['+12025550100', '+12025550101'];
const PAGE = 5;

function call(n: number, status: ChangedCall['status'] = 'scheduled'): ChangedCall {
  return callSchema.parse({
    id: uuid(n),
    owner_id: uuid(2_000),
    agent_id: AGENTS[n % 2],
    agent_version: 1,
    caller_number: '+12025550199',
    callee_number: NUMBERS[n % 2],
    direction: 'outbound',
    status,
    started_at: null,
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    billable_seconds: 0,
    answered_by: null,
    transcript: null,
    summary: null,
    review_note: null,
    webhook_url: null,
    recording_url: '/api/v1/calls/x/recording',
    recording_status: 'none',
    analysis_status: 'none',
    analysis: null,
    latency: null,
    cost: 0,
    currency: 'USD',
    cost_breakdown: { reserved: 0, items: [], total: 0 },
    usage: [],
    ended_reason: status === 'ended' ? 'busy' : null,
    failure: null,
    sip: null,
    sip_code: null,
    variables: {},
    metadata: {},
    limits: { max_duration_seconds: 60, ring_timeout_seconds: 30 },
    scheduled_for: null,
    expires_at: null,
    waiting_for: null,
    attempt: 1,
    retry_of: null,
    next_call_id: null,
    campaign_id: null,
    // Three calls share each timestamp, so that some pages break between equal timestamps.
    created_at: new Date(1_790_000_000_000 + Math.floor(n / 3)).toISOString(),
  });
}

const newestFirst = (one: ChangedCall, other: ChangedCall) =>
  other.created_at.localeCompare(one.created_at) || other.id.localeCompare(one.id);

/** A model of the account's calls in the service. */
class Service {
  readonly calls = new Map<string, ChangedCall>();
  #created = 0;

  create(): ChangedCall {
    this.#created += 1;
    return this.#store(call(this.#created));
  }

  advance(seed: number): ChangedCall | null {
    const open = [...this.calls.values()].filter(({ status }) => status !== 'ended');
    const chosen = open[seed % Math.max(open.length, 1)];
    if (chosen === undefined) return null;
    const next = CALL_STATUSES[CALL_STATUSES.indexOf(chosen.status) + 1] ?? 'ended';
    return this.#store({ ...chosen, status: next, ended_reason: next === 'ended' ? 'busy' : null });
  }

  matching(filters: CallFilters): readonly ChangedCall[] {
    return [...this.calls.values()].filter((call) => matchesFilters(call, filters)).toSorted(newestFirst);
  }

  /** The cursor is the last call of the previous page. */
  page(filters: CallFilters, cursor: string | null) {
    const all = this.matching(filters);
    const last = cursor === null ? undefined : this.calls.get(cursor);
    const isAfter = (call: ChangedCall) =>
      last === undefined ||
      call.created_at < last.created_at ||
      (call.created_at === last.created_at && call.id < last.id);
    const rest = all.filter(isAfter);
    const calls = rest.slice(0, PAGE);
    return { calls, next_cursor: rest.length > PAGE ? (calls.at(-1)?.id ?? null) : null };
  }

  #store(call: ChangedCall): ChangedCall {
    this.calls.set(call.id, call);
    return call;
  }
}

type Step =
  | { readonly kind: 'create' }
  | { readonly kind: 'advance'; readonly seed: number }
  /** Delivers the changes so far. */
  | { readonly kind: 'receive' }
  /** Delivers some changes twice, in order. */
  | { readonly kind: 'receive_again'; readonly last: number }
  | { readonly kind: 'load_more'; readonly changesDuringRead: number };

const seed = integer({ min: 0, max: 1_000 });
const steps: Arbitrary<readonly Step[]> = array(
  oneof(
    record({ kind: constantFrom('create' as const) }),
    record({ kind: constantFrom('advance' as const), seed }),
    record({ kind: constantFrom('advance' as const), seed }),
    record({ kind: constantFrom('receive' as const) }),
    record({ kind: constantFrom('receive_again' as const), last: integer({ min: 1, max: 10 }) }),
    record({ kind: constantFrom('load_more' as const), changesDuringRead: integer({ min: 0, max: 5 }) }),
  ),
  { maxLength: 80 },
);

const filtersArbitrary = constantFrom<object>(
  {},
  { status: 'scheduled' },
  { status: 'queued' },
  { status: 'in_progress' },
  { status: 'ended' },
  { ended_reason: 'busy', agent_id: AGENTS[0] },
  { to_number: NUMBERS[1] },
  { created_after: call(6).created_at },
  { created_before: call(12).created_at, status: 'ended' },
).map((filters) => callFiltersSchema.parse(filters));

const asChanges = (calls: readonly ChangedCall[]) => new Map(calls.map((call) => [call.id, call] as const));

/** The expected list: the matching calls, down to the last page that was read. */
function expected(service: Service, filters: CallFilters, { readTo }: CallList): readonly ChangedCall[] {
  return service
    .matching(filters)
    .filter(
      (call) =>
        readTo === null ||
        call.created_at > readTo.created_at ||
        (call.created_at === readTo.created_at && call.id >= readTo.id),
    );
}

test('whatever changes while pages are read, the list matches the service down to the last page', () => {
  assert(
    property(filtersArbitrary, integer({ min: 0, max: 25 }), steps, (filters, before, steps) => {
      const service = new Service();
      const sent: ChangedCall[] = [];
      let received = 0;
      const send = (change: ChangedCall | null) => void (change && sent.push(change));
      for (let n = 0; n < before; n += 1) service.create();
      let list = appendPage(EMPTY_LIST, service.page(filters, null), new Map(), filters);
      const receive = () => {
        list = applyChanges(list, asChanges(sent.slice(received)), filters);
        received = sent.length;
      };
      for (const step of steps) {
        if (step.kind === 'create') send(service.create());
        else if (step.kind === 'advance') send(service.advance(step.seed));
        else if (step.kind === 'receive') receive();
        else if (step.kind === 'receive_again') {
          received = Math.max(0, received - step.last);
          receive();
        } else if (list.nextCursor !== null) {
          // Calls change, and their changes arrive, after the page is read and before it arrives.
          const receivedBefore = received;
          const page = service.page(filters, list.nextCursor);
          for (let n = 0; n < step.changesDuringRead; n += 1) send(service.advance(n * 7));
          receive();
          list = appendPage(list, page, asChanges(sent.slice(receivedBefore)), filters);
        }
      }
      receive();
      expect(list.calls).toEqual(expected(service, filters, list));
    }),
    { numRuns: 500 },
  );
});

test('unchanged calls and unchanged lists keep their identity', () => {
  const list = appendPage(EMPTY_LIST, { calls: [call(9), call(6), call(3)], next_cursor: null }, new Map(), {});
  const after = applyChanges(list, asChanges([call(6, 'ringing')]), {});
  expect(after.calls[0]).toBe(list.calls[0]);
  expect(after.calls[1]?.status).toBe('ringing');
  expect(after.calls[2]).toBe(list.calls[2]);
  expect(applyChanges(list, asChanges([call(7)]), { status: 'ended' })).toBe(list);
});

test('an outdated change does not move a call back', () => {
  const list = appendPage(EMPTY_LIST, { calls: [call(3, 'ended')], next_cursor: null }, new Map(), {});
  expect(applyChanges(list, asChanges([call(3, 'ringing')]), {})).toBe(list);
});
