import {
  ANALYSIS_PROBLEMS,
  analysisProblems,
  ANSWERED_BY,
  COMPONENTS,
  endedReasons,
  OPT_OUT_EVIDENCE,
  WAITING_FOR,
  type CallEventBody,
  type EndedReason,
  type OptOutEvidence,
  type WaitingFor,
} from '@outdial/contracts';
import { z } from 'zod';
import { ANSWERED_BY_WORDS, WAITING_FOR_WORDS } from '../../../shared/words/call-status.ts';
import { COMPONENT_WORDS } from '../../../shared/words/components.ts';

/** The parts of an event's data that the timeline shows. Malformed parts are dropped. */
const dataSchema = z.object({
  scheduled_for: z.iso.datetime({ offset: true }).optional().catch(undefined),
  for: z.enum(WAITING_FOR).optional().catch(undefined),
  until: z.iso.datetime({ offset: true }).optional().catch(undefined),
  sip_code: z.int().optional().catch(undefined),
  answered_by: z.enum(ANSWERED_BY).optional().catch(undefined),
  ended_reason: z.enum(endedReasons).optional().catch(undefined),
  hold: z.number().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  outcome: z.enum(['ok', 'failed', 'refused']).optional().catch(undefined),
  duration_ms: z.number().optional().catch(undefined),
  result: z.string().optional().catch(undefined),
  component: z.enum(COMPONENTS).optional().catch(undefined),
  failure: z.string().optional().catch(undefined),
  destination: z.string().optional().catch(undefined),
  state: z.enum(['started', 'succeeded', 'failed']).optional().catch(undefined),
  after_ms: z.number().optional().catch(undefined),
  evidence: z.enum(OPT_OUT_EVIDENCE).optional().catch(undefined),
  note: z.string().optional().catch(undefined),
  problem: z.enum(analysisProblems).optional().catch(undefined),
});

export interface EventWords {
  readonly title: string;
  readonly detail: string | null;
}

interface Formatters {
  readonly money: (amount: number) => string;
  readonly reason: (reason: EndedReason) => string;
  readonly time: (iso: string) => string;
  readonly sipCode: (code: number) => string;
}

/** Describes an event of a call's timeline. */
export function eventWords(event: CallEventBody, format: Formatters): EventWords {
  const data = dataSchema.parse(event.data);
  const sipCode = data.sip_code === undefined ? null : format.sipCode(data.sip_code);
  switch (event.type) {
    case 'scheduled':
      return {
        title: 'Scheduled',
        detail: data.scheduled_for === undefined ? null : `For ${format.time(data.scheduled_for)}`,
      };
    case 'waiting':
      return { title: 'Waiting', detail: waitingDetail(data, format) };
    case 'queued':
      return { title: 'Queued', detail: 'Waiting to be dialed' };
    case 'dialing':
      return { title: 'Dialing', detail: 'A worker claimed the call' };
    case 'ringing':
      return { title: 'Ringing', detail: sipCode };
    case 'in_progress':
      return { title: 'Answered', detail: 'The agent starts talking' };
    case 'answered_by':
      return {
        title: 'Answered by',
        detail: data.answered_by === undefined ? null : ANSWERED_BY_WORDS[data.answered_by],
      };
    case 'end_requested':
      return { title: 'End requested', detail: 'By a member of your account or through the API' };
    case 'hold_enlarged':
      return {
        title: 'More funds reserved',
        detail: data.hold === undefined ? null : `${format.money(data.hold)} in total until the call ends`,
      };
    case 'taken_over':
      return { title: 'Taken over', detail: 'The worker was lost, so another worker ends the call' };
    case 'tool_called':
      return toolWords(event);
    case 'transfer':
      return transferWords(data, sipCode);
    case 'provider_failed':
      return { title: 'Provider failed', detail: joined([componentOf(data), data.failure]) };
    case 'provider_recovered':
      return {
        title: 'Provider recovered',
        detail: joined([
          componentOf(data),
          data.after_ms === undefined ? undefined : `after ${secondsOf(data.after_ms)}`,
        ]),
      };
    case 'opted_out':
      return { title: 'Opted out', detail: optOutDetail(data) };
    case 'recording_available':
      return { title: 'Recording available', detail: null };
    case 'analyzed':
      return data.problem === undefined
        ? { title: 'Analyzed', detail: null }
        : { title: 'Not analyzed', detail: ANALYSIS_PROBLEMS[data.problem] };
    case 'ended': {
      const reason = data.ended_reason === undefined ? null : format.reason(data.ended_reason);
      return { title: 'Ended', detail: joined([reason, sipCode]) };
    }
    default:
      return event.type satisfies never;
  }
}

const TRANSFER_TITLES = {
  started: 'Transfer started',
  succeeded: 'Transferred',
  failed: 'Not transferred',
} as const;

const TRANSFER_FAILURES: Readonly<Record<string, string>> = {
  refused: 'The telephone network declined it',
  failed: 'The destination could not be reached',
  unreported: 'The destination did not answer in time',
  not_permitted: 'The trunk is not set up for it',
  destination_not_allowed: 'The account may not call the destination',
  suppressed: 'The destination is on a do-not-call list',
  too_many: 'The call had too many attempts',
  unavailable: 'The destination could not be checked',
  no_funds: 'The account could not pay for the second leg',
  no_capacity: 'No slot or channel was free for the second leg',
  hung_up: 'The destination hung up before it was connected',
};

function transferWords({ destination, state, failure }: Data, sipCode: string | null): EventWords {
  const cause = failure === undefined ? undefined : TRANSFER_FAILURES[failure];
  const isOver = state !== 'started' && state !== undefined;
  return {
    title: TRANSFER_TITLES[state ?? 'started'],
    detail: joined([destination === undefined ? undefined : `To ${destination}`, cause, isOver ? sipCode : undefined]),
  };
}

/** Describes a call of a tool. */
export function toolWords(event: CallEventBody): EventWords {
  const data = dataSchema.parse(event.data);
  return { title: data.name === undefined ? 'Tool called' : `Tool called: ${data.name}`, detail: toolDetail(data) };
}

type Data = z.output<typeof dataSchema>;

function waitingDetail({ for: waits, until }: Data, { time }: Formatters): string | null {
  if (waits === undefined) return null;
  return `For ${WAITING_FOR_WORDS[waits]}${until === undefined ? '' : `, until ${time(until)}`}`;
}

/** Until when the call waits for `waits`, by its timeline. Null: it does not say. */
export function waitingUntil(events: readonly CallEventBody[], waits: WaitingFor | null): string | null {
  const last = events.findLast(({ type }) => type === 'waiting');
  const data = last === undefined ? null : dataSchema.parse(last.data);
  return data !== null && data.for === waits ? (data.until ?? null) : null;
}

const OUTCOME_WORDS = { ok: 'Succeeded', failed: 'Failed', refused: 'Refused' } as const;
const MAX_TEXT_LENGTH = 200;

/** How a tool went and how long it took; for one that did not succeed, also why. */
function toolDetail({ outcome, duration_ms: durationMs, result }: Data): string | null {
  if (outcome === undefined) return null;
  const took = durationMs === undefined || durationMs === 0 ? '' : ` in ${secondsOf(durationMs)}`;
  const words = `${OUTCOME_WORDS[outcome]}${took}`;
  if (outcome === 'ok' || result === undefined) return words;
  return `${words}: ${cut(result)}`;
}

const EVIDENCE_WORDS: Readonly<Record<OptOutEvidence, string>> = {
  key: 'The callee pressed the key for no more calls',
  tool: 'The callee asked for no more calls, as the model understood',
  request: 'Recorded by a member of your account or through the API',
};

/** How it is known that the callee opted out, and what was said. */
function optOutDetail({ evidence, note }: Data): string | null {
  const words = evidence === undefined ? null : EVIDENCE_WORDS[evidence];
  return joined([words, note === undefined ? null : cut(note)]);
}

const cut = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
const componentOf = ({ component }: Data) => (component === undefined ? undefined : COMPONENT_WORDS[component]);
const secondsOf = (ms: number) => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`;
const joined = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ') || null;
