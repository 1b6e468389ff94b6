import { unreachable, type Timer } from '@outdial/kernel';
import type { Fault } from '../faults.ts';
import type { SessionInput } from '../realtime-fault.ts';
import { TurnFinder, type TurnEvent } from '../speech/turn-finder.ts';
import { decodeUlaw } from '../speech/ulaw.ts';
import { replyTo, scriptOf } from '../script.ts';
import { AnswerStream } from './answer-stream.ts';
import type { ClientEvent, NewItem, Session } from './client-events.ts';
import { FaultyAnswers } from './faulty-answers.ts';
import type { SimulatedDialect } from './dialects/dialect.ts';
import { Items, type Refusal } from './items.ts';
import { SessionBill } from './session-bill.ts';
import type { ServerMessage } from './server-message.ts';
import { transcriptionUsageOf, type TranscriptionUsage } from './transcription-usage.ts';

export interface RealtimeSessionInput extends SessionInput {
  /** Part of every id, which no other session of the provider uses. */
  readonly name: string;
  readonly model: string;
  readonly fault: Fault | null;
  readonly dialect: SimulatedDialect;
  readonly send: (event: ServerMessage) => void;
}

/** As OpenAI reports them at the begin of each response. */
function rateLimits(isNearLimit: boolean): ServerMessage {
  const remaining = isNearLimit ? { requests: 950, tokens: 3_900 } : { requests: 999, tokens: 39_000 };
  return {
    type: 'rate_limits.updated',
    rate_limits: [
      { name: 'requests', limit: 1_000, remaining: remaining.requests, reset_seconds: 0.06 },
      { name: 'tokens', limit: 40_000, remaining: remaining.tokens, reset_seconds: 54.15 },
    ],
  };
}

const SAY_EXACTLY = /^Say exactly .*?: (".*")$/s;

/** One conversation of the simulated Realtime API. */
export class RealtimeSession {
  readonly #input: RealtimeSessionInput;
  readonly #items: Items;
  readonly #bill: SessionBill;
  readonly #timers = new Set<Timer>();
  #session: Session = { type: 'realtime' };
  #turns: TurnFinder;
  #turnItem: string | null = null;
  #active: AnswerStream | null = null;
  #ids = 0;
  #refusesNext: boolean;
  readonly #faults: FaultyAnswers;
  /** Of the client's event that is handled. */
  #eventId: string | null = null;

  constructor(input: RealtimeSessionInput) {
    this.#input = input;
    this.#refusesNext = input.fault?.kind === 'refuse-first-request';
    this.#faults = new FaultyAnswers(input.fault);
    this.#items = new Items(input.send);
    this.#bill = new SessionBill(input);
    this.#turns = new TurnFinder(input.timings);
    input.send({ type: 'session.created', session: { type: 'realtime', model: input.model } });
  }

  receive(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#error('invalid_json', 'Could not parse the message as JSON.', null);
    }
    const event = this.#input.dialect.clientEvents.safeParse(value);
    this.#eventId = event.data?.event_id ?? null;
    if (event.success) return this.#handle(event.data);
    const [issue] = event.error.issues;
    const param = issue?.path.join('.') ?? null;
    const code = issue?.code === 'unrecognized_keys' ? 'unknown_parameter' : 'invalid_value';
    return this.#error(code, `Invalid value: '${param ?? ''}'. ${issue?.message ?? ''}`, param);
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#active?.stop();
    this.#bill.close();
  }

  #handle(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        return this.#update(event.session);
      case 'input_audio_buffer.append': {
        this.#bill.heard();
        const samples = this.#input.hears(decodeUlaw(Buffer.from(event.audio, 'base64')));
        for (const turn of this.#turns.hear(samples)) this.#turn(turn);
        return;
      }
      case 'input_audio_buffer.clear':
        return this.#input.send({ type: 'input_audio_buffer.cleared' });
      case 'input_audio_buffer.commit':
        return this.#commit();
      case 'conversation.item.create':
        return this.#add(event.item);
      case 'conversation.item.delete':
        return this.#input.send({ type: 'conversation.item.deleted', item_id: event.item_id });
      case 'conversation.item.truncate':
        return this.#refuse(this.#items.truncate(event.item_id, event.audio_end_ms));
      case 'response.create':
        return this.#create(event.response ?? {});
      case 'response.cancel':
        if (this.#active === null || (event.response_id ?? this.#active.id) !== this.#active.id) {
          return this.#error('response_cancel_not_active', 'Cancellation failed: no active response found', null);
        }
        return this.#cancel('client_cancelled');
      default:
        return unreachable(event);
    }
  }

  #add(item: NewItem): void {
    this.#bill.added(item.type);
    this.#refuse(this.#items.addFromClient(item, item.id ?? this.#id('item')));
  }

  #cancel(reason: 'turn_detected' | 'client_cancelled'): void {
    const active = this.#active;
    if (active === null) return;
    if (!this.#input.dialect.leavesCancelledOpen || active.soundMs > 0) return active.cancel(reason);
    active.stop();
    this.#active = null;
  }

  #update(update: Session): void {
    const voice = update.audio?.output?.voice;
    if (this.#items.hasSound && voice !== undefined && voice !== this.#session.audio?.output?.voice) {
      return this.#error(
        'cannot_update_voice',
        "Cannot update a conversation's voice if assistant audio is present.",
        'session.audio.output.voice',
      );
    }
    const input = { ...this.#session.audio?.input, ...update.audio?.input };
    const output = { ...this.#session.audio?.output, ...update.audio?.output };
    this.#session = { ...this.#session, ...update, audio: { input, output } };
    const silenceMs =
      input.turn_detection?.type === 'server_vad' ? input.turn_detection.silence_duration_ms : undefined;
    if (update.audio?.input?.turn_detection !== undefined && silenceMs !== undefined) this.#turns.silenceMs = silenceMs;
    this.#input.send({ type: 'session.updated', session: { type: 'realtime', model: this.#input.model } });
  }

  #turn(turn: TurnEvent): void {
    const { send } = this.#input;
    const detection = this.#session.audio?.input?.turn_detection;
    if (detection === null || detection === undefined || turn.kind === 'paused' || turn.kind === 'resumed') return;
    if (turn.kind === 'started') {
      this.#turnItem = this.#id('item');
      send({ type: 'input_audio_buffer.speech_started', audio_start_ms: turn.startMs, item_id: this.#turnItem });
      if (detection.interrupt_response !== false) this.#cancel('turn_detected');
      return;
    }
    const item = this.#turnItem ?? this.#id('item');
    send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: turn.endMs, item_id: item });
    this.#calleeTurn(item, turn);
    if (detection.create_response !== false && this.#active === null) this.#respond({}, {});
  }

  /** Of a client that decides itself what a turn is. */
  #commit(): void {
    const turn = this.#turns.end();
    if (turn === null) {
      const message = 'Error committing input audio buffer: buffer too small.';
      return this.#error('input_audio_buffer_commit_empty', message, null);
    }
    this.#calleeTurn(this.#id('item'), turn);
  }

  #calleeTurn(item: string, turn: Extract<TurnEvent, { kind: 'stopped' }>): void {
    const { timings, ears } = this.#input;
    const text = ears.recognise(turn.samples);
    this.#items.addCalleeTurn(item, text, turn.endMs - turn.startMs);
    const transcription = this.#session.audio?.input?.transcription;
    if (transcription !== null && transcription !== undefined) {
      const usage = transcriptionUsageOf(transcription.model ?? '', text, turn.endMs - turn.startMs);
      this.#after(timings.transcribeMs, () => this.#transcribed(item, text, usage));
    }
  }

  #transcribed(item: string, transcript: string, usage: TranscriptionUsage): void {
    this.#bill.transcribed(usage);
    this.#input.send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: item,
      content_index: 0,
      transcript,
      usage,
    });
  }

  #create(response: NonNullable<Extract<ClientEvent, { type: 'response.create' }>['response']>): void {
    if (this.#active !== null) {
      return this.#error(
        'conversation_already_has_active_response',
        `Conversation already has an active response in progress: ${this.#active.id}.`,
        null,
      );
    }
    if (this.#refusesNext) {
      this.#refusesNext = false;
      return this.#error('invalid_value', 'The response cannot be created.', 'response');
    }
    const exact = SAY_EXACTLY.exec(response.instructions ?? '')?.[1];
    this.#respond(response.metadata ?? {}, exact === undefined ? {} : { say: String(JSON.parse(exact)) });
  }

  #respond(metadata: Readonly<Record<string, string>>, { say }: { readonly say?: string }): void {
    const { script, timings, clock, speak, send } = this.#input;
    const instructions = this.#session.instructions ?? '';
    const role = scriptOf(script, [instructions, ...this.#items.instructions].join('\n'));
    const reply = say === undefined ? replyTo(role, this.#items.lastPrompt) : { say };
    const fault = this.#faults.next();
    const stream = new AnswerStream({
      responseId: this.#id('resp'),
      nextId: (prefix) => this.#id(prefix),
      metadata,
      reply,
      clock,
      speak,
      send,
      inText: this.#session.output_modalities?.[0] === 'text',
      thinkMs: fault?.kind === 'slow' ? fault.thinkMs : (reply.delayMs ?? timings.thinkMs),
      isLimited: fault?.kind === 'limited',
      soundSpeed: timings.soundSpeed,
      sounded: (item, ms) => this.#items.sounded(item, ms),
      calledTool: (callId, name) => this.#items.calledTool(callId, name),
      added: (item) => this.#items.announce(item),
      usageOf: (output) => {
        const usage = this.#items.tokens.respond(instructions, output);
        this.#bill.responded(usage, stream.soundMs);
        return usage;
      },
      over: () => {
        this.#active = null;
      },
    });
    this.#active = stream;
    stream.start();
    send(rateLimits(this.#input.fault?.kind === 'near-limit'));
  }

  #after(delayMs: number, callback: () => void): void {
    const timer = this.#input.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#input.name}_${this.#ids}`;
  }

  #refuse(refusal: Refusal | null): void {
    if (refusal !== null) this.#error(refusal.code, refusal.message, refusal.param);
  }

  #error(code: string, message: string, param: string | null): void {
    const error = { type: 'invalid_request_error', code, message, param, event_id: this.#eventId };
    this.#input.send({ type: 'error', error });
  }
}
