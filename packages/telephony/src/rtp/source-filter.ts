import { unreachable } from '@outdial/kernel';
import type { Endpoint } from './remote-media.ts';

/**
 * Whose packets are taken, when they do not come from where the SDP says they would.
 * - `off`: nobody's.
 * - `same_host`: those of another port of the SDP's host, if the first packet comes from there.
 * - `any_host`: those of whoever sends first: for a far end behind a NAT that its SDP knows nothing of.
 */
export type SourceLearning = 'off' | 'same_host' | 'any_host';

const same = (one: Endpoint, other: Endpoint): boolean => one.host === other.host && one.port === other.port;

/** Tells the far end from strangers, and where to send to: to where it sends from (symmetric RTP, RFC 4961). */
export class SourceFilter {
  readonly #learning: SourceLearning;
  #signalled: Endpoint | undefined;
  #learned: Endpoint | undefined;

  constructor(learning: SourceLearning) {
    this.#learning = learning;
  }

  /** The SDP's address. Another one than before is learned anew; the same one repeated changes nothing. */
  signal(endpoint: Endpoint): void {
    if (this.#signalled && same(this.#signalled, endpoint)) return;
    this.#signalled = endpoint;
    this.#learned = undefined;
  }

  /** Whether to take a valid packet of this sender. The first one taken decides for all that follow. */
  accepts(sender: Endpoint): boolean {
    const signalled = this.#signalled;
    if (!signalled) return false;
    if (same(signalled, sender)) {
      // The address that was signalled is right whenever it speaks, also after somebody was faster.
      this.#learned = signalled;
      return true;
    }
    if (this.#learned) return same(this.#learned, sender);
    if (!this.#mayLearn(signalled, sender)) return false;
    this.#learned = { host: sender.host, port: sender.port };
    return true;
  }

  get destination(): Endpoint | undefined {
    return this.#learned ?? this.#signalled;
  }

  #mayLearn(signalled: Endpoint, sender: Endpoint): boolean {
    switch (this.#learning) {
      case 'off':
        return false;
      case 'same_host':
        return sender.host === signalled.host;
      case 'any_host':
        return true;
      default:
        return unreachable(this.#learning);
    }
  }
}
