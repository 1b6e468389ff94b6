import type { Clock } from '@outdial/kernel';
import type { ProviderLedger } from '../ledger.ts';
import type { SimulatedDialect } from './dialects/dialect.ts';
import { transcriptionEntries, type TranscriptionUsage } from './transcription-usage.ts';

interface SessionBillInput {
  readonly clock: Clock;
  readonly dialect: SimulatedDialect;
  readonly ledger: Pick<ProviderLedger, 'add'>;
}

/**
 * What the provider bills for a session: tokens, or the items of text that the client adds, and its time, of which a session
 * without sound of the callee has only that of its answers.
 */
export class SessionBill {
  readonly #input: SessionBillInput;
  readonly #startedMs: number;
  #wasHeard = false;
  #isClosed = false;

  constructor(input: SessionBillInput) {
    this.#input = input;
    this.#startedMs = input.clock.monotonicMs();
  }

  heard(): void {
    this.#wasHeard = true;
  }

  responded({ total_tokens: tokens }: { readonly total_tokens: number }, soundMs: number): void {
    if (this.#input.dialect.billedBy === 'tokens') this.#add('token', tokens);
    else if (!this.#wasHeard) this.#add('second', soundMs / 1_000);
  }

  transcribed(usage: TranscriptionUsage): void {
    const { dialect, ledger } = this.#input;
    if (dialect.billedBy === 'time') return;
    for (const entry of transcriptionEntries(dialect.provider, usage)) ledger.add(entry);
  }

  /** The result of a tool is free. */
  added(type: string): void {
    if (this.#input.dialect.billedBy === 'time' && type !== 'function_call_output') this.#add('request', 1);
  }

  close(): void {
    if (this.#isClosed || !this.#wasHeard || this.#input.dialect.billedBy === 'tokens') return;
    this.#isClosed = true;
    this.#add('second', (this.#input.clock.monotonicMs() - this.#startedMs) / 1_000);
  }

  #add(unit: 'token' | 'request' | 'second', quantity: number): void {
    const { dialect, ledger } = this.#input;
    ledger.add({ component: 'realtime', provider: dialect.provider, unit, quantity });
  }
}
