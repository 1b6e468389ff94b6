import { createModelAgents } from '@outdial/agents';
import type { ConversationEvent, RecordingStore, SpeechSynthesizer, UsageMeter } from '@outdial/calls';
import type { TryEndReason, TryEvent, Turn } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { createConversations, type MediaClock } from '@outdial/telephony';
import { FrameLine } from './frame-line.ts';
import { createLocalLink, type LocalLinkOptions } from './local-link.ts';

export interface SoundConversationOptions extends LocalLinkOptions {
  readonly mediaClock: MediaClock;
  /** The built-in voice. */
  readonly speech: SpeechSynthesizer;
  readonly meter: Pick<UsageMeter, 'add'>;
  readonly report: (event: TryEvent) => void;
  readonly onUsage: () => void;
  /** Sound of the agent for the browser. False: dropped. */
  readonly onSound: (ulaw: Uint8Array) => boolean;
  /** The person broke in: what was not played is dropped. */
  readonly onCleared: () => void;
  /** Once. */
  readonly onOver: (reason: TryEndReason) => void;
}

/** Nothing of a try is kept. */
const NO_RECORDINGS: RecordingStore = {
  create: () => ({ key: '', write: () => undefined, close: async () => false }),
  open: async () => null,
  keyOf: () => '',
  repair: async () => false,
};

/** An agent that talks with a person at a microphone: the conversation of a call, on a line of frames instead of a leg. */
export class SoundConversation {
  readonly #options: SoundConversationOptions;
  readonly #line: FrameLine;
  readonly #conversation: ReturnType<ReturnType<typeof createConversations>['open']>;
  #items = 0;
  #over = false;

  constructor(options: SoundConversationOptions) {
    const { call, mediaClock, speech, clock, logger, onSound: send, onCleared } = options;
    this.#options = options;
    this.#line = new FrameLine({ send, onCleared });
    const agents = createModelAgents({ speech, link: createLocalLink(options), clock });
    const { callId, settings, variables } = call;
    this.#conversation = createConversations({
      clock: mediaClock,
      agents: { prepare: (input) => agents.prepare({ ...input, settings }) },
      recordings: NO_RECORDINGS,
      onError: (error) => logger.warn({ event: 'try.failed', err: error }, 'a try could not go on'),
    }).open({ callId, leg: { media: this.#line }, settings, variables });
    this.#conversation.listen((event) => this.#onEvent(event));
  }

  /** The person is there. */
  begin(): void {
    this.#conversation.answered();
  }

  /** Whole frames in µ-law. */
  hear(ulaw: Uint8Array): void {
    if (!this.#over) this.#line.hear(ulaw);
  }

  /** Resolves once the usage that is left is counted. Idempotent. */
  async close(): Promise<void> {
    this.#over = true;
    await this.#conversation.finish();
  }

  #onEvent(event: ConversationEvent): void {
    const { meter, onUsage, report } = this.#options;
    if (event.kind === 'usage') {
      meter.add(event.entries);
      return onUsage();
    }
    if (this.#over) return;
    switch (event.kind) {
      case 'turn':
        return this.#report(event.turn);
      case 'tool_called': {
        const { name, arguments: given, result, outcome, durationMs } = event;
        return report({
          type: 'tool_called',
          name,
          arguments: { ...given },
          result,
          outcome,
          duration_ms: Math.round(durationMs),
        });
      }
      // What needs a telephone is shown, and not done.
      case 'transfer': {
        const { tools } = this.#options.call.settings;
        const tool = tools.find(({ type }) => type === 'transfer_call')?.name ?? 'transfer_call';
        report({ type: 'act', act: { kind: 'transfer', tool, destination: event.destination } });
        return this.#end('agent_hangup');
      }
      // The agent confirms it, and hangs up then.
      case 'opt_out':
        return report({ type: 'act', act: { kind: 'opt_out', reason: event.note } });
      case 'introduced':
        return this.#end('agent_hangup');
      case 'hang_up':
        return this.#end(reasonOf(event.reason));
      case 'answered_by':
      case 'provider_failed':
      case 'provider_recovered':
      case 'turn_metrics':
        return;
      default:
        return unreachable(event);
    }
  }

  #report({ role, text }: Turn): void {
    const { report } = this.#options;
    if (text === null) return;
    if (role === 'callee') return report({ type: 'callee_text', text });
    if (role === 'supervisor') return;
    report({ type: 'agent_text', item: `turn_${(this.#items += 1)}`, text });
    report({ type: 'agent_done' });
  }

  #end(reason: TryEndReason): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onOver(reason);
  }
}

function reasonOf(reason: Extract<ConversationEvent, { kind: 'hang_up' }>['reason']): TryEndReason {
  switch (reason) {
    case 'provider_unavailable':
    case 'agent_error':
      return 'provider_unavailable';
    case 'provider_rejected':
      return 'provider_rejected';
    case 'silence_timeout':
      return 'idle';
    case 'agent_hangup':
    case 'voicemail_reached':
    case 'call_screened':
    case 'opted_out':
      return 'agent_hangup';
    default:
      return unreachable(reason);
  }
}
