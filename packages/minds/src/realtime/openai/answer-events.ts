import { unreachable } from '@outdial/kernel';
import { codeBlamesRequest, type FailureDetails } from '../../failure.ts';
import type { MindEvent, ProviderFailure, ProviderFailureKind } from '../../mind.ts';
import type { ToolCalls } from '../../tool-calls.ts';
import type { Answers } from './answers.ts';
import type { ConversationEvent, WireError } from './connection.ts';
import type { Responses } from './responses.ts';
import { retryDelayOf } from './retry-delay.ts';
import { responseUsage } from './usage.ts';
import { isAnswerPart, isNearLimit, type AnswerPart, type HeardEvent } from './wire.ts';

type AnswerEvent = Exclude<ConversationEvent, HeardEvent>;
type EventOf<Type extends AnswerEvent['type']> = Extract<AnswerEvent, { readonly type: Type }>;

export interface AnswerEventsInput {
  /** Of the usage; null where time is billed. */
  readonly payer: { readonly provider: string; readonly model: string } | null;
  readonly responses: Responses;
  readonly answers: Answers;
  readonly tools: ToolCalls;
  readonly emit: (event: MindEvent) => void;
  readonly send: (event: Readonly<Record<string, unknown>>) => void;
  readonly failure: (kind: ProviderFailureKind, message: string, details: FailureDetails) => ProviderFailure;
  readonly isGateOpen: () => boolean;
  /** An answer has begun. */
  readonly begun: () => void;
  /** An answer is over. */
  readonly settle: () => void;
}

/** What the provider reports of its answers: their words, sound and tool calls, and how each of them ends. */
export class AnswerEvents {
  readonly #input: AnswerEventsInput;
  #saidSomething = false;

  constructor(input: AnswerEventsInput) {
    this.#input = input;
  }

  handle(event: AnswerEvent): void {
    const { responses, answers, emit } = this.#input;
    if (isAnswerPart(event) && responses.drops(event.response_id)) return this.#drop(event);
    switch (event.type) {
      case 'rate_limits.updated':
        if (isNearLimit(event)) emit({ kind: 'near_limit' });
        return;
      // A session of sound has no answers in text.
      case 'response.output_text.delta':
        return;
      case 'response.created':
        return this.#begun(event.response);
      case 'response.output_audio.delta':
        return this.#sound(event.item_id, event.delta);
      case 'response.output_audio_transcript.delta':
        if (answers.isCut(event.item_id)) return;
        return emit({ kind: 'words', item: event.item_id, text: event.delta });
      case 'response.output_audio.done':
        return emit({ kind: 'item_over', item: event.item_id });
      case 'response.output_item.done':
        return this.#itemDone(event.item);
      case 'response.done':
        return this.#done(event.response);
      default:
        return unreachable(event);
    }
  }

  /** What was asked for never begins. */
  failed({ code, type, message: reason }: WireError): void {
    const kind = (code ?? type)?.includes('rate_limit') === true ? 'rate_limited' : 'unreachable';
    const blamesRequest = codeBlamesRequest(`${code ?? ''} ${type ?? ''}`);
    const message = `the response failed: ${code ?? type ?? 'unknown'}`;
    const failure = this.#input.failure(kind, message, { blamesRequest, retryAfter: retryDelayOf(reason) });
    this.#input.emit({ kind: 'answer_failed', failure });
  }

  over(outcome: Extract<MindEvent, { kind: 'answer_over' }>['outcome']): void {
    this.#input.emit({ kind: 'answer_over', outcome, empty: !this.#saidSomething });
    this.#input.settle();
  }

  /** The model answers the callee by itself once the gate is open. A provider that does so before is not heard. */
  #begun({ id, metadata }: EventOf<'response.created'>['response']): void {
    const { responses, isGateOpen, begun } = this.#input;
    const isAsked = responses.created(id, metadata?.['request']);
    this.#saidSomething = false;
    if (!isAsked && !isGateOpen()) responses.mute();
    begun();
  }

  /** A part of an answer that the callee does not hear: the model forgets it. */
  #drop(part: AnswerPart): void {
    if (part.type !== 'response.output_item.done' || part.item.id === '') return;
    this.#input.send({ type: 'conversation.item.delete', item_id: part.item.id });
  }

  #sound(item: string, base64: string): void {
    const { responses, answers, emit } = this.#input;
    const ulaw = Buffer.from(base64, 'base64');
    this.#saidSomething = true;
    responses.sounded();
    if (answers.received(item, ulaw.length)) emit({ kind: 'sound', item, ulaw });
  }

  #itemDone(item: EventOf<'response.output_item.done'>['item']): void {
    if (item.type !== 'function_call') return;
    this.#saidSomething = true;
    this.#input.tools.called(item.call_id);
    this.#input.emit({ kind: 'tool_call', id: item.call_id, name: item.name, argumentsText: item.arguments });
  }

  #done(response: EventOf<'response.done'>['response']): void {
    const { payer, responses, emit, settle } = this.#input;
    // A canceled and a failed response have usage too.
    if (response.usage && payer !== null) emit({ kind: 'usage', entries: responseUsage(payer, response.usage) });
    const isWanted = responses.done(response.id);
    if (isWanted && response.status === 'failed') this.failed(response.status_details?.error ?? {});
    else if (isWanted && response.status !== 'failed') this.over(response.status);
    responses.next();
    settle();
  }
}
