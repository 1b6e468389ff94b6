import type { ServerResponse } from 'node:http';
import type { Clock } from '@outdial/kernel';
import type { Fault } from '../faults.ts';
import { Alarms } from '../http/alarms.ts';
import type { ProviderLedger } from '../ledger.ts';
import type { Script } from '../script.ts';
import { writtenBy, type AnswerPart } from './answer-parts.ts';
import { chatTokens, type ReadTokens } from './chat-tokens.ts';

export interface ChatTimings {
  readonly firstTokenMs: number;
  /** Between two tokens. */
  readonly tokenMs: number;
}

/** What the endpoints of models that answer in text need. */
export interface ChatInput {
  readonly clock: Clock;
  readonly script: Script;
  readonly timings: ChatTimings;
  readonly ledger: ProviderLedger;
}

export interface AnswerEnd {
  readonly reason: 'stop' | 'tool' | 'length';
  readonly usage: ReadTokens & { readonly written: number };
  /** The fault `no-usage` leaves it out, where the protocol can. */
  readonly reportsUsage: boolean;
}

/** The events of a provider's protocol, as they are written to the response. */
export interface AnswerDialect {
  readonly provider: 'openai' | 'anthropic' | 'google';
  readonly begin: () => string;
  readonly part: (part: AnswerPart) => string;
  readonly end: (end: AnswerEnd) => string;
  /** An event that is no JSON. */
  readonly garbage: string;
  /** The provider's word for an overload, in the middle of an answer. */
  readonly error: string;
}

export interface AnswerStreamInput extends ChatInput {
  readonly dialect: AnswerDialect;
  readonly response: ServerResponse;
  readonly fault: Fault | null;
  readonly parts: readonly AnswerPart[];
  /** How many of the parts the request allows. */
  readonly limit: number;
  readonly read: ReadTokens;
  /** Of this answer, in place of the provider's. */
  readonly delayMs?: number | undefined;
}

const SLOW_FIRST_TOKEN_MS = 10_000;

/** One answer as a stream of events, part by part. It goes wrong as its fault says, and is billed once. */
export class AnswerStream {
  readonly #input: AnswerStreamInput;
  readonly #alarms: Alarms;
  readonly #parts: readonly AnswerPart[];
  #sent = 0;
  /** What the model wrote of its answer. */
  #written = '';
  #billed = false;

  constructor(input: AnswerStreamInput) {
    this.#input = input;
    this.#alarms = new Alarms(input.clock);
    this.#parts = input.parts.slice(0, input.limit);
  }

  start(): void {
    const { response, fault, dialect, timings, delayMs } = this.#input;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    response.on('close', () => {
      this.#alarms.stop();
      // A client that goes away pays for what was made until then.
      this.#bill();
    });
    if (fault?.kind === 'stall') return;
    this.#write(dialect.begin());
    const firstTokenMs = fault?.kind === 'slow-tokens' ? SLOW_FIRST_TOKEN_MS : (delayMs ?? timings.firstTokenMs);
    this.#alarms.after(firstTokenMs, () => this.#next());
  }

  #next(): void {
    const { response, timings, fault, dialect } = this.#input;
    const part = this.#parts[this.#sent];
    if (fault?.kind === 'drop' && this.#sent >= fault.afterDeltas) {
      // What was written before is on its way by then.
      return void response.write(': the end\n\n', () => response.destroy());
    }
    if (part === undefined) return this.#end();
    if (fault?.kind === 'error-event' && this.#sent > 0) {
      this.#write(dialect.error);
      return void response.end();
    }
    this.#sent += 1;
    this.#written += writtenBy(part);
    this.#write(fault?.kind === 'garbage-json' ? dialect.garbage : dialect.part(part));
    if (fault?.kind === 'close-1000') return void response.end();
    if (timings.tokenMs === 0) return this.#next();
    this.#alarms.after(timings.tokenMs, () => this.#next());
  }

  #end(): void {
    const { response, dialect, parts, read, fault } = this.#input;
    const wasCut = this.#parts.length < parts.length;
    const calledTool = this.#parts.some(({ kind }) => kind === 'tool');
    const reason = wasCut ? 'length' : calledTool ? 'tool' : 'stop';
    const usage = { ...read, written: chatTokens(this.#written) };
    this.#write(dialect.end({ reason, usage, reportsUsage: fault?.kind !== 'no-usage' }));
    this.#bill();
    response.end();
  }

  #write(text: string): void {
    const { response, fault } = this.#input;
    const bytes = Buffer.from(text);
    if (fault?.kind !== 'half-utf8') return void response.write(bytes);
    const inside = bytes.findIndex((byte) => byte >= 0xc0) + 1;
    // Two writes may still arrive as one; the second half waits for the next turn of the event loop.
    response.write(bytes.subarray(0, inside));
    response.write(bytes.subarray(inside));
  }

  #bill(): void {
    if (this.#billed) return;
    this.#billed = true;
    const { ledger, dialect, read } = this.#input;
    const payer = { component: 'llm', provider: dialect.provider } as const;
    ledger.add({ ...payer, unit: 'input_text_token', quantity: read.prompt - read.cached });
    ledger.add({ ...payer, unit: 'cached_input_text_token', quantity: read.cached });
    ledger.add({ ...payer, unit: 'output_text_token', quantity: chatTokens(this.#written) });
  }
}
