import { TRY_LIMITS, type TryAct, type TryEndReason, type TryEvent } from '@outdial/contracts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';

/** One line of a conversation. */
export type TryLine =
  | { readonly kind: 'agent'; readonly key: string; readonly item: string; readonly text: string }
  | { readonly kind: 'callee'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly key: string;
      readonly name: string;
      readonly given: string;
      readonly result: string | null;
      readonly isFailed: boolean;
    }
  | { readonly kind: 'act'; readonly key: string; readonly text: string };

export interface TryState {
  readonly lines: readonly TryLine[];
  /** What answers, such as `gpt-realtime-2.1 of OpenAI`. */
  readonly model: string | null;
  readonly isOwnCredential: boolean;
  readonly cost: number;
  readonly quantities: readonly { readonly unit: string; readonly quantity: number }[];
  readonly endedReason: TryEndReason | null;
}

export const NEW_TRY: TryState = {
  lines: [],
  model: null,
  isOwnCredential: false,
  cost: 0,
  quantities: [],
  endedReason: null,
};

/** The conversation after one more event. */
export function withEvent(state: TryState, event: TryEvent): TryState {
  const key = String(state.lines.length);
  const add = (line: TryLine): TryState => ({ ...state, lines: [...state.lines, line] });
  switch (event.type) {
    case 'started':
      return {
        ...state,
        model: `${event.model} of ${PROVIDER_WORDS[event.provider]}`,
        isOwnCredential: event.own_credential,
      };
    case 'agent_text':
      return withAgentText(state, event);
    case 'agent_done':
      return state;
    case 'callee_text':
      return add({ kind: 'callee', key, text: event.text });
    case 'tool_called': {
      const { name, result, outcome } = event;
      const given = JSON.stringify(event.arguments);
      return add({ kind: 'tool', key, name, given, result, isFailed: outcome !== 'ok' });
    }
    case 'act':
      return add({ kind: 'act', key, text: actWords(event.act) });
    case 'usage':
      return { ...state, cost: event.cost, quantities: event.items };
    case 'ended':
      return { ...state, cost: event.cost, endedReason: event.reason };
    default:
      return event satisfies never;
  }
}

/** Pieces of one answer become one line. */
function withAgentText(state: TryState, { item, text }: Extract<TryEvent, { type: 'agent_text' }>): TryState {
  const last = state.lines.at(-1);
  if (last?.kind !== 'agent' || last.item !== item) {
    return { ...state, lines: [...state.lines, { kind: 'agent', key: String(state.lines.length), item, text }] };
  }
  return { ...state, lines: [...state.lines.slice(0, -1), { ...last, text: last.text + text }] };
}

function actWords(act: TryAct): string {
  switch (act.kind) {
    case 'end_call':
      return act.reason === null ? 'Would end the call.' : `Would end the call: ${act.reason}`;
    case 'press_digits':
      return `Would press ${act.digits}.`;
    case 'opt_out':
      return act.reason === null
        ? 'Would put the callee on the do-not-call list and end the call.'
        : `Would put the callee on the do-not-call list and end the call: ${act.reason}`;
    case 'leave_voicemail':
      return 'Would leave its voicemail message and end the call.';
    case 'transfer':
      return `Would transfer the callee to ${act.destination}.`;
    default:
      return act satisfies never;
  }
}

export const END_WORDS: Readonly<Record<TryEndReason, string>> = {
  ended_by_user: 'You ended the conversation.',
  agent_hangup: 'The agent ended the conversation.',
  time_over: 'The time of this try is over.',
  idle: `The try ended after ${TRY_LIMITS.idleSeconds} seconds without a word of either side.`,
  funds_spent: 'The try has spent what was reserved for it.',
  insufficient_funds: 'The wallet does not cover a try of this agent.',
  provider_unavailable: 'The provider of the model failed. Try again in a moment.',
  provider_rejected: 'The provider rejected the credential, the model or the settings.',
  worker_lost: 'The service restarted. Start another try.',
  connection_lost: 'The connection to your microphone was lost.',
  not_started: 'No place was free for this try. Try again in a moment.',
};
