import { unreachable } from '@outdial/kernel';
import type { Endpoint, SourceLearning } from './remote-media.ts';

/**
 * After the SDP moved, a former source that was never the SDP's address may continue after 2 s without another source.
 */
const PACKETS_TO_RETURN = 100;
/** The limit of former sources that a call remembers. */
const MAX_FORMER = 16;

const same = (one: Endpoint, other: Endpoint): boolean => one.host === other.host && one.port === other.port;

interface FormerSource {
  readonly endpoint: Endpoint;
  /** The SDP's address while it was the source: the same one, or the one under which it was learned. */
  readonly signalled: Endpoint;
}

/**
 * Separates the far end's packets from a stranger's, and decides where to send: to where the far end sends from (symmetric
 * RTP, RFC 4961).
 *
 * An SDP with another address moves the far end for good: late packets from the old address neither count as audio nor
 * change the destination.
 */
export class SourceFilter {
  #learning: SourceLearning;
  #signalled: Endpoint | undefined;
  #learned: Endpoint | undefined;
  #former: FormerSource[] = [];
  /** Packets of former sources in a row, without one from a new source. */
  #formerPackets = 0;
  /** The far end has continued from a former source. A new source is still preferred. */
  #hasReturned = false;

  constructor(learning: SourceLearning) {
    this.#learning = learning;
  }

  /**
   * Sets the SDP's address. A new address restarts learning; the same one changes nothing. `learning` applies from now
   * on, if given.
   */
  signal(endpoint: Endpoint, learning = this.#learning): void {
    this.#learning = learning;
    const [before, learned] = [this.#signalled, this.#learned];
    if (before && same(before, endpoint)) return;
    if (before) this.#retire({ endpoint: before, signalled: before });
    if (before && learned && !same(before, learned)) this.#retire({ endpoint: learned, signalled: before });
    // Back at a former address: the source that was learned there is valid again.
    this.#former = this.#former.filter((former) => !same(former.signalled, endpoint));
    this.#signalled = endpoint;
    this.#learned = undefined;
    this.#formerPackets = 0;
    this.#hasReturned = false;
  }

  /** Whether to accept a valid packet of this sender. The first accepted one decides for all that follow. */
  accepts(sender: Endpoint): boolean {
    const signalled = this.#signalled;
    if (!signalled) return false;
    if (same(signalled, sender)) {
      // The signaled address is always accepted, even after another source was learned.
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

  #learn(source: Endpoint, hasReturned = false): true {
    // Every packet of the usual far end comes here.
    if (!this.#learned || !same(this.#learned, source)) this.#learned = { host: source.host, port: source.port };
    this.#hasReturned = hasReturned;
    return true;
  }

  /**
   * A far end behind a NAT or a media proxy, whose packets never came from its SDP's address, may keep its real source
   * when its SDP moves. That is the case when the old source alone sends for longer than packets can be in transit.
   */
  #mayReturn({ endpoint, signalled }: FormerSource): boolean {
    if (same(endpoint, signalled) || this.#learned || this.#learning === 'off') return false;
    this.#formerPackets += 1;
    return this.#formerPackets > PACKETS_TO_RETURN;
  }

  #retire(former: FormerSource): void {
    this.#former = [...this.#former.filter(({ endpoint }) => !same(endpoint, former.endpoint)), former].slice(
      -MAX_FORMER,
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
