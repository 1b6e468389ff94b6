import type { Clock, Timer } from '@outdial/kernel';
import { providerFailure, type FailureDetails } from '../failure.ts';
import type { ProviderFailure, ProviderFailureKind } from '../mind.ts';
import { fixedReadyLimit, type ReadyLimit } from '../ready-limit.ts';

export interface SessionListener {
  /** The provider has accepted the settings. Once. */
  readonly accepted: () => void;
  readonly ignored: (message: string) => void;
  /** Last. */
  readonly failed: (failure: ProviderFailure) => void;
}

export interface ProviderSessionInput {
  readonly credential: string;
  readonly clock: Clock;
  /** From the first SYN to the accepted settings. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
  readonly listener: SessionListener;
  readonly closeSocket: () => void;
}

/** A provider that sends this many messages that are not its protocol is not the one that we expect. */
const MAX_INVALID_MESSAGES = 50;

/** What every session with a speech-to-speech model goes through: settings that are accepted in time, and at most one failure. */
export class ProviderSession {
  readonly #input: ProviderSessionInput;
  readonly #readyTimer: Timer;
  #isAccepted = false;
  #isClosed = false;
  #invalidMessages = 0;

  constructor(input: ProviderSessionInput) {
    this.#input = input;
    const { clock, readyLimit = fixedReadyLimit(clock) } = input;
    this.#readyTimer = readyLimit.watch(() => {
      this.fail('unreachable', 'the provider did not accept the settings in time');
    });
  }

  get isAccepted(): boolean {
    return this.#isAccepted;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Idempotent. */
  accept(): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    this.#readyTimer.cancel();
    this.#input.listener.accepted();
  }

  /** A message came that is not of the protocol. */
  invalid(problem: string): void {
    this.#invalidMessages += 1;
    this.#input.listener.ignored(problem);
    if (this.#invalidMessages > MAX_INVALID_MESSAGES) this.fail('invalid_response', problem);
  }

  fail(kind: ProviderFailureKind, message: string, details: FailureDetails = {}): void {
    if (this.#isClosed) return;
    this.#input.listener.failed(this.failure(kind, message, details));
    this.close();
  }

  failure(kind: ProviderFailureKind, message: string, details: FailureDetails = {}): ProviderFailure {
    return providerFailure({ component: 'realtime', kind, message, credential: this.#input.credential, ...details });
  }

  /** Idempotent. No event follows. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#readyTimer.cancel();
    this.#input.closeSocket();
  }
}
