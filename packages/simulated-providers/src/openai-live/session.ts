import { unreachable, type Timer } from '@outdial/kernel';
import type { SessionInput } from '../realtime-fault.ts';
import { replyTo, scriptOf, type Prompt, type Reply } from '../script.ts';
import { TurnFinder, type TurnEvent } from '../speech/turn-finder.ts';
import { decodeUlaw } from '../speech/ulaw.ts';
import type { ClientEvent, ContextEvent, LiveSettings } from './client-events.ts';
import { DelegatedWork } from './delegated-work.ts';
import { LiveVoice } from './live-voice.ts';
import { spokenPrompt } from './spoken-prompt.ts';
import type { LiveError, ServerMessage } from './server-events.ts';

export interface LiveSessionInput extends SessionInput {
  readonly name: string;
  readonly send: (message: ServerMessage) => void;
  readonly close: (reason: 'close_requested') => void;
}

/** The callee's speech of so long makes the model stop: less is a sign that they listen. */
const STOPS_AFTER_MS = 900;
const BREATH_MS = 800;
/** Silence that ends such speech. */
const PAUSE_MS = 100;
/** The provider counts words in other scripts too; the limit of 500 tokens is that of the real one. */
const MAX_CONTEXT_TOKENS = 500;
const LAST_LATIN = 0x24f;

function tokensOf(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) tokens += text.charCodeAt(at) > LAST_LATIN ? 1 : 0.25;
  return Math.ceil(tokens);
}

/** One conversation of the simulated GPT-Live, from its start on. It hears while it speaks. */
export class LiveSession {
  readonly #input: LiveSessionInput;
  readonly #isDelegating: boolean;
  readonly #hasTools: boolean;
  readonly #voice: LiveVoice;
  readonly #work: DelegatedWork;
  readonly #turns: TurnFinder;
  readonly #timers = new Set<Timer>();
  /** Notes wait for the first sound: the session has no time before. */
  readonly #unread: ContextEvent[] = [];
  #hasHeard = false;
  /** What it is to say first. */
  readonly #parts: string[] = [];
  /** Its start's, and what the client has added in notes. */
  #instructions: string;
  #prompt: Prompt = { kind: 'none' };
  /** Since when the callee speaks without a pause. */
  #speechFromMs: number | null = null;
  /** A note says that the next turn needs no answer. */
  #ignoresTurn = false;
  #thinking: Timer | null = null;

  constructor({ delegation, instructions, input: history = [] }: LiveSettings, input: LiveSessionInput) {
    this.#input = input;
    const { clock, speak, send, ledger, name, timings } = input;
    const backend = delegation?.type === 'responses' ? delegation.responses : null;
    this.#isDelegating = backend !== null;
    this.#hasTools = (backend?.tools ?? []).length > 0;
    this.#voice = new LiveVoice({ clock, speak, send, speed: timings.liveSpeed });
    this.#work = new DelegatedWork({
      name,
      send,
      ledger,
      instructions: backend?.instructions ?? instructions ?? '',
      offsetMs: () => this.#voice.sentMs,
    });
    this.#turns = new TurnFinder({ silenceMs: timings.silenceMs, pauseMs: PAUSE_MS });
    const told = history.flatMap(({ role, content }) => (role === 'developer' ? content.map(({ text }) => text) : []));
    this.#instructions = [instructions ?? '', ...told].join('\n');
    const said = history.findLast(({ role }) => role === 'user')?.content[0]?.text;
    if (said !== undefined) this.#prompt = { kind: 'callee', text: said };
  }

  receive(event: ClientEvent): void {
    const echo = typeof event.event_id === 'string' ? { client_event_id: event.event_id } : {};
    switch (event.type) {
      case 'session.start':
        return this.#error({ code: 'session_already_started', message: 'The session has already started.', ...echo });
      case 'session.update':
      case 'session.input_audio.mute':
      case 'session.input_audio.unmute':
        return this.#error({ code: 'not_simulated', message: `${event.type} is not simulated.`, ...echo });
      case 'session.input_audio.append': {
        this.#hasHeard = true;
        for (const note of this.#unread.splice(0)) this.#read(note);
        const samples = this.#input.hears(decodeUlaw(Buffer.from(event.audio, 'base64')));
        for (const turn of this.#turns.hear(samples)) this.#turn(turn);
        return this.#noticeBargeIn();
      }
      case 'session.instructions.append':
      case 'session.thinking.append':
      case 'session.commentary.append':
        if (event.delegation_id !== null && this.#isDelegating) {
          const message = 'delegation_id must be null with Responses delegation.';
          return this.#error({ code: 'invalid_value', message, param: 'delegation_id', ...echo });
        }
        if (tokensOf(event.content) > MAX_CONTEXT_TOKENS) {
          const message = `content exceeds ${MAX_CONTEXT_TOKENS} tokens.`;
          return this.#error({ code: 'string_above_max_length', message, param: 'content', ...echo });
        }
        return this.#hasHeard ? this.#read(event) : void this.#unread.push(event);
      case 'response.item.create':
      case 'response.create': {
        if (!this.#isDelegating) {
          return this.#error({
            code: 'invalid_request',
            message: `${event.type} requires Responses delegation.`,
            ...echo,
          });
        }
        const problem = event.type === 'response.create' ? this.#continue() : this.#output(event.item);
        if (problem !== null) this.#error({ code: 'invalid_value', message: problem, ...echo });
        return;
      }
      case 'session.close': {
        const turn = this.#turns.end();
        if (turn !== null) this.#transcribe(turn.startMs, turn.endMs, this.#input.ears.recognise(turn.samples));
        return this.#input.close('close_requested');
      }
      default:
        return unreachable(event);
    }
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#voice.close();
  }

  #error(error: Omit<LiveError, 'type'>): void {
    this.#input.send({ type: 'error', error: { type: 'invalid_request_error', ...error } });
  }

  #read({ type, content, event_id: eventId }: ContextEvent): void {
    const place = { start_ms: this.#turns.heardMs, end_ms: this.#turns.heardMs };
    const kind = `${type}ed` as const;
    this.#input.send({ type: kind, ...place, ...(typeof eventId === 'string' ? { client_event_id: eventId } : {}) });
    const note = spokenPrompt(content, this.#input.script);
    if (note.kind === 'part') this.#parts.push(note.text);
    if (note.kind === 'callee') this.#prompt = { kind: 'callee', text: note.text };
    if (note.kind === 'instruction') this.#instructions += `\n${note.text}`;
    if (note.kind === 'earlier') this.#ignoresTurn = true;
    if (note.kind === 'stop') this.#voice.breakOff();
    if (type === 'session.thinking.append') return;
    if (note.kind !== 'exact') return this.#answer();
    const text = [...this.#parts.splice(0), note.text].join('');
    this.#answer({ say: text });
  }

  #turn(turn: TurnEvent): void {
    if (turn.kind === 'started' || turn.kind === 'resumed') this.#speechFromMs = this.#turns.heardMs;
    else this.#speechFromMs = null;
    if (turn.kind !== 'stopped') return;
    const isIgnored = this.#ignoresTurn;
    this.#ignoresTurn = false;
    const text = this.#input.ears.recognise(turn.samples);
    this.#prompt = { kind: 'callee', text };
    this.#after(this.#input.timings.transcribeMs, () => this.#transcribe(turn.startMs, turn.endMs, text));
    if (!isIgnored && !this.#voice.isSpeaking && this.#thinking === null) this.#answer();
  }

  /** The callee goes on while the model speaks: it stops by itself. */
  #noticeBargeIn(): void {
    if (this.#speechFromMs === null || this.#turns.heardMs - this.#speechFromMs < STOPS_AFTER_MS) return;
    this.#voice.breakOff();
  }

  /** Piece by piece: nothing marks the end of a turn. */
  #transcribe(startMs: number, endMs: number, text: string): void {
    for (const delta of text.match(/\S+\s*/g) ?? []) {
      this.#input.send({ type: 'session.input_transcript.delta', delta, start_ms: startMs, end_ms: endMs });
    }
  }

  #output({ call_id: callId, output }: { readonly call_id: string; readonly output: string }): string | null {
    return this.#work.output(callId, output);
  }

  #continue(): string | null {
    const result = this.#work.continue();
    if (typeof result === 'string') return result;
    this.#prompt = { kind: 'tool_result', ...result };
    this.#answer();
    return null;
  }

  #answer(given?: Reply): void {
    const { script, timings } = this.#input;
    const reply = given ?? replyTo(scriptOf(script, this.#instructions), this.#prompt);
    this.#thinking?.cancel();
    // It takes a breath before it says something else.
    const breathMs = this.#voice.isSpeaking ? BREATH_MS / timings.liveSpeed : 0;
    this.#voice.breakOff();
    this.#thinking = this.#after((reply.delayMs ?? timings.thinkMs) + breathMs, () => {
      this.#thinking = null;
      if (reply.say === undefined) this.#delegate(reply);
      else void this.#voice.say(reply.say, () => this.#delegate(reply));
    });
  }

  #delegate({ tool }: Reply): void {
    if (tool !== undefined && this.#hasTools) this.#work.call(tool.name, tool.arguments);
  }

  #after(delayMs: number, callback: () => void): Timer {
    const timer = this.#input.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
    return timer;
  }
}
