import { unreachable, type Timer } from '@outdial/kernel';
import type { SessionInput } from '../realtime-fault.ts';
import { replyTo, scriptOf, type Prompt, type Reply } from '../script.ts';
import { samplesOfPcm } from '../speech/pcm.ts';
import { TurnFinder, type TurnEvent } from '../speech/turn-finder.ts';
import { AnswerStream } from './answer-stream.ts';
import type { ClientContent, ClientMessage, FunctionResponse, RealtimeInput, Setup } from './client-messages.ts';
import { LiveTokens } from './live-tokens.ts';
import type { ServerMessage } from './server-message.ts';

export interface LiveSessionInput extends SessionInput {
  /** Part of every id, which no other session of the provider uses. */
  readonly name: string;
  readonly send: (message: ServerMessage) => void;
  /** Ends the connection, as the API does with what it does not accept. */
  readonly refuse: (reason: string) => void;
}

const INSTRUCTED = /^\[Instruction from your supervisor /;
const SAY_EXACTLY = /^\[Say exactly .*?: (".*")\]$/s;

/** One conversation of the simulated Live API, after its setup. */
export class LiveSession {
  readonly #input: LiveSessionInput;
  readonly #setup: Setup;
  readonly #tokens: LiveTokens;
  readonly #turns: TurnFinder;
  readonly #timers = new Set<Timer>();
  /** The calls of tools that have no result. */
  readonly #calls = new Map<string, string>();
  /** Its setup's, and what the client has added in notes. */
  #instructions: string;
  #prompt: Prompt = { kind: 'none' };
  #active: AnswerStream | null = null;
  /** An answer to a result, once nothing else is said. */
  #isOwed = false;
  #ids = 0;

  constructor(setup: Setup, input: LiveSessionInput) {
    this.#input = input;
    this.#setup = setup;
    const { parts = [] } = setup.systemInstruction ?? {};
    this.#instructions = parts.map(({ text }) => text).join('\n');
    this.#tokens = new LiveTokens(this.#instructions);
    const { silenceDurationMs } = setup.realtimeInputConfig?.automaticActivityDetection ?? {};
    this.#turns = new TurnFinder({ silenceMs: silenceDurationMs ?? input.timings.silenceMs });
    input.send({ setupComplete: {} });
  }

  receive(message: ClientMessage): void {
    if ('setup' in message) return this.#input.refuse('setup must be the first message and may be sent only once.');
    if ('clientContent' in message) return this.#content(message.clientContent);
    if ('realtimeInput' in message) return this.#hear(message.realtimeInput);
    for (const response of message.toolResponse.functionResponses) this.#result(response);
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#active?.stop();
  }

  /** A message here ends what the model is saying. */
  #content({ turns = [], turnComplete }: ClientContent): void {
    this.#active?.interrupt();
    const [last] = turns.slice(-1);
    for (const { role, parts } of turns) {
      const text = parts.map((part) => part.text).join(' ');
      this.#tokens.wrote(text);
      if (role === 'user') this.#read(text);
    }
    if (!turnComplete) return;
    const exact = SAY_EXACTLY.exec(last?.parts[0]?.text ?? '')?.[1];
    this.#answer(exact === undefined ? undefined : String(JSON.parse(exact)));
  }

  /** What is in brackets is no word of the callee, unless the script knows it. */
  #read(text: string): void {
    if (INSTRUCTED.test(text)) {
      this.#instructions += `\n${text}`;
      return;
    }
    const isNote = text.startsWith('[') && !this.#input.script.rules.some(({ when }) => when.test(text));
    if (!isNote) this.#prompt = { kind: 'callee', text };
  }

  #hear(input: RealtimeInput): void {
    if ('audioStreamEnd' in input) {
      const turn = this.#turns.end();
      if (turn !== null) this.#turn(turn);
      return;
    }
    const samples = samplesOfPcm(input.audio.mimeType, Buffer.from(input.audio.data, 'base64'));
    if (samples === null) return this.#input.refuse('Unsupported audio format.');
    for (const turn of this.#turns.hear(this.#input.hears(samples))) this.#turn(turn);
  }

  #turn(turn: TurnEvent): void {
    switch (turn.kind) {
      case 'started':
        if (this.#setup.realtimeInputConfig?.activityHandling !== 'NO_INTERRUPTION') this.#active?.interrupt();
        return;
      case 'stopped': {
        const { ears, timings } = this.#input;
        const text = ears.recognise(turn.samples);
        this.#tokens.heard(turn.endMs - turn.startMs);
        this.#prompt = { kind: 'callee', text };
        if (this.#setup.inputAudioTranscription !== undefined) {
          this.#after(timings.transcribeMs, () => this.#transcribed(text));
        }
        if (this.#active === null) this.#answer();
        return;
      }
      case 'paused':
      case 'resumed':
        return;
      default:
        return unreachable(turn);
    }
  }

  /** Word by word, as the real one: nothing marks the last. */
  #transcribed(text: string): void {
    for (const word of text.match(/\S+\s*/g) ?? []) {
      this.#input.send({ serverContent: { inputTranscription: { text: word } } });
    }
  }

  #result({ id, name, response, scheduling }: FunctionResponse): void {
    if (this.#calls.get(id) !== name) return this.#input.refuse(`No function call ${id} of ${name} is open.`);
    this.#calls.delete(id);
    const { output = response } = response;
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    this.#tokens.wrote(text);
    this.#prompt = { kind: 'tool_result', name, output: text };
    if (scheduling === 'SILENT') return;
    if (scheduling === 'INTERRUPT') this.#active?.interrupt();
    if (this.#active === null) this.#answer();
    else this.#isOwed = true;
  }

  #answer(say?: string): void {
    const { script, timings, clock, speak, send, ledger } = this.#input;
    const role = scriptOf(script, this.#instructions);
    const reply = say === undefined ? replyTo(role, this.#prompt) : { say };
    const hasTools = this.#setup.tools !== undefined;
    this.#ids += 1;
    const stream = new AnswerStream({
      reply: hasTools ? reply : silentOf(reply),
      callId: `function-call-${this.#input.name}-${this.#ids}`,
      clock,
      speak,
      send,
      isTranscribed: this.#setup.outputAudioTranscription !== undefined,
      thinkMs: reply.delayMs ?? timings.thinkMs,
      soundSpeed: timings.soundSpeed,
      calledTool: (id, name) => this.#calls.set(id, name),
      usageOf: (soundMs) => {
        const usage = this.#tokens.answered(soundMs);
        const quantity = usage.totalTokenCount ?? 0;
        ledger.add({ component: 'realtime', provider: 'google', unit: 'token', quantity });
        return usage;
      },
      over: () => this.#over(),
    });
    this.#active = stream;
    stream.start();
  }

  #over(): void {
    this.#active = null;
    if (!this.#isOwed) return;
    this.#isOwed = false;
    this.#after(0, () => {
      if (this.#active === null) this.#answer();
    });
  }

  #after(delayMs: number, callback: () => void): void {
    const timer = this.#input.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }
}

const silentOf = ({ tool: _tool, ...reply }: Reply): Reply => reply;
