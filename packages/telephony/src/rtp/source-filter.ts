import { unreachable } from '@outdial/kernel';
import type { Endpoint, SourceLearning } from './remote-media.ts';

/** A source that was in use before the SDP moved, and never was the SDP's, may go on after 2 s of nothing else. */
const PACKETS_TO_RETURN = 100;
/** A call that moves more often has forgotten where it was first. */
const MOST_FORMER = 16;

const same = (one: Endpoint, other: Endpoint): boolean => one.host === other.host && one.port === other.port;

interface Former {
  readonly endpoint: Endpoint;
  /** The SDP's address while it was the source: the same one, or where it was learned under. */
  readonly signalled: Endpoint;
}

/**
 * Tells the far end from strangers, and where to send to: to where it sends from (symmetric RTP, RFC 4961).
 *
 * An SDP that names another address moves the far end for good: packets of the old one that are still on their way
 * neither count as sound nor decide where the far end is.
 */
export class SourceFilter {
  #learning: SourceLearning;
  #signalled: Endpoint | undefined;
  #learned: Endpoint | undefined;
  #former: Former[] = [];
  /** Packets of former sources in a row, with nothing from a new one. */
  #formerPackets = 0;
  /** The far end has gone on from a former source. A new one that speaks is better still. */
  #hasReturned = false;

  constructor(learning: SourceLearning) {
    this.#learning = learning;
  }

  /**
   * The SDP's address. Another one than before is learned anew; the same one repeated changes nothing. `learning` holds
   * from now on, if it is given.
   */
  signal(endpoint: Endpoint, learning = this.#learning): void {
    this.#learning = learning;
    const [before, learned] = [this.#signalled, this.#learned];
    if (before && same(before, endpoint)) return;
    if (before) this.#retire({ endpoint: before, signalled: before });
    if (before && learned && !same(before, learned)) this.#retire({ endpoint: learned, signalled: before });
    // Back where it was: what was right then is right again.
    this.#former = this.#former.filter((former) => !same(former.signalled, endpoint));
    this.#signalled = endpoint;
    this.#learned = undefined;
    this.#formerPackets = 0;
    this.#hasReturned = false;
  }

  /** Whether to take a valid packet of this sender. The first one taken decides for all that follow. */
  accepts(sender: Endpoint): boolean {
    const signalled = this.#signalled;
    if (!signalled) return false;
    if (same(signalled, sender)) {
      // The address that was signalled is right whenever it speaks, also after somebody was faster.
      return this.#learn(signalled);
    }
    if (this.#learned && same(this.#learned, sender)) return true;
    const former = this.#former.find(({ endpoint }) => same(endpoint, sender));
    if (former) return this.#mayReturn(former) && this.#learn(sender, true);
    const isBetter = this.#hasReturned && sender.host === signalled.host;
    if (this.#learned && !isBetter) return false;
    return this.#mayLearn(signalled, sender) && this.#learn(sender);
  }

  get destination(): Endpoint | undefined {
    return this.#learned ?? this.#signalled;
  }

  #learn({ host, port }: Endpoint, hasReturned = false): true {
    this.#learned = { host, port };
    this.#hasReturned = hasReturned;
    return true;
  }

  /**
   * A far end whose packets never came from its SDP's address, for a NAT or a media proxy, may keep its real source when
   * its SDP moves. That shows when the old source alone goes on for longer than packets can be on their way.
   */
  #mayReturn({ endpoint, signalled }: Former): boolean {
    if (same(endpoint, signalled) || this.#learned || this.#learning === 'off') return false;
    this.#formerPackets += 1;
    return this.#formerPackets > PACKETS_TO_RETURN;
  }

  #retire(former: Former): void {
    this.#former = [...this.#former.filter(({ endpoint }) => !same(endpoint, former.endpoint)), former].slice(
      -MOST_FORMER,
    );
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
