import type { Clock, Timer } from '@outdial/kernel';
import {
  codeBlamesRequest,
  endBlamesRequest,
  kindOfEnd,
  messageOfEnd,
  providerFailure,
  type FailureDetails,
} from '../failure.ts';
import type { MindComponent, ProviderFailure, ProviderFailureKind } from '../mind.ts';
import { fixedReadyLimit, type ReadyLimit } from '../ready-limit.ts';
import type { OpenSocket, ProviderSocket } from '../sockets.ts';

/** How to reach a provider. */
export interface ProviderAccess {
  readonly credential: string;
  /** Without a slash at its end, such as `wss://api.deepgram.com`. */
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  /** From the first SYN until the provider is ready. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
}

export interface ConnectionInput {
  readonly access: ProviderAccess;
  readonly component: MindComponent;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly opened: () => void;
  /** A message, parsed as JSON. */
  readonly received: (message: unknown) => void;
  readonly receivedBinary?: (data: Uint8Array) => void;
  readonly ignored: (message: string) => void;
  /** Last. */
  readonly failed: (failure: ProviderFailure) => void;
}

/** A provider that sends this many messages that are not its protocol is not the one that we expect. */
const MAX_INVALID_MESSAGES = 20;

/** A socket to a provider of one component: JSON in both directions, and at most one failure, which ends it. */
export class ProviderConnection {
  readonly #input: ConnectionInput;
  readonly #socket: ProviderSocket;
  readonly #readyTimer: Timer;
  #ready = false;
  #closed = false;
  #invalid = 0;

  constructor(input: ConnectionInput) {
    this.#input = input;
    const { access } = input;
    this.#socket = access.openSocket(
      { url: `${access.baseUrl}${input.path}`, headers: input.headers },
      {
        opened: () => {
          if (!this.#closed) input.opened();
        },
        received: (text) => this.#receive(text),
        receivedBinary: (data) => {
          if (!this.#closed) input.receivedBinary?.(data);
        },
        ended: (end) => {
          const retryAfter = end.kind === 'refused' ? end.retryAfter : null;
          const blamesRequest = endBlamesRequest(end);
          this.fail(kindOfEnd(end, !this.#ready), messageOfEnd(end), { retryAfter, blamesRequest });
        },
      },
    );
    this.#readyTimer = (access.readyLimit ?? fixedReadyLimit(access.clock)).watch(() => {
      this.fail('unreachable', 'the provider was not ready in time');
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** From now on the end of the socket is a loss, and no failure to connect. */
  ready(): void {
    this.#ready = true;
    this.#readyTimer.cancel();
  }

  send(message: Readonly<Record<string, unknown>>): void {
    if (!this.#closed) this.#socket.send(JSON.stringify(message));
  }

  sendBinary(data: Uint8Array): void {
    if (!this.#closed) this.#socket.send(data);
  }

  /** The provider sent something that its protocol does not have. */
  invalid(message: string): void {
    if (this.#closed) return;
    this.#invalid += 1;
    if (this.#invalid > MAX_INVALID_MESSAGES) return this.fail('invalid_response', message);
    this.#input.ignored(message);
  }

  fail(kind: ProviderFailureKind, message: string, details: FailureDetails = {}): void {
    if (this.#closed) return;
    this.close();
    const { access, component, failed } = this.#input;
    failed(providerFailure({ component, kind, message, credential: access.credential, ...details }));
  }

  /** The provider reported an error of its work, and ends it. */
  broken(code: string, message: string): void {
    this.fail('dropped', message, { blamesRequest: codeBlamesRequest(code) });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#readyTimer.cancel();
    this.#socket.close();
  }

  #receive(text: string): void {
    if (this.#closed) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.invalid('a message was not JSON');
    }
    this.#input.received(message);
  }
}
