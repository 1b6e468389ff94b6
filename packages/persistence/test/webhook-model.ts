import type { WebhookEndpointId } from '@outdial/contracts';
import type { AttemptVerdict, ClaimedDelivery } from '@outdial/webhooks';

export interface ModelLane {
  readonly endpointId: WebhookEndpointId;
  readonly maxInFlight: number;
  readonly wants: (type: string) => boolean;
}

interface ModelDelivery {
  readonly lane: ModelLane;
  readonly messageId: string;
  readonly call: number;
  /** The place of its event among all. */
  readonly event: number;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  triesLeft: number;
  /** `later`: after a failure, until time passes. */
  wait: 'due' | 'later' | 'in_flight';
}

/** What the claims and outcomes of webhooks should do, in memory and one delivery at a time. */
export class WebhookModel {
  readonly #lanes: readonly ModelLane[];
  readonly #tries: number;
  readonly #failures = new Map<WebhookEndpointId, number>();
  readonly #all: ModelDelivery[] = [];

  constructor(lanes: readonly ModelLane[], tries: number) {
    this.#lanes = lanes;
    this.#tries = tries;
  }

  announce(event: { readonly messageId: string; readonly call: number; readonly type: string }): void {
    const { messageId, call, type } = event;
    const place = this.#all.length;
    for (const lane of this.#lanes.filter(({ wants }) => wants(type))) {
      const fresh = { state: 'pending', attempts: 0, triesLeft: this.#tries, wait: 'due' } as const;
      this.#all.push({ lane, messageId, call, event: place, ...fresh });
    }
  }

  /** Takes over what the store claimed. @throws Error if the store may not claim it, or leaves out what it may. */
  claim(claimed: readonly ClaimedDelivery[]): void {
    for (const lane of this.#lanes) {
      const slots = this.#slotsOf(lane);
      const due = this.#of(lane).filter(({ wait }) => wait === 'due');
      const spent = due.filter(({ triesLeft }) => triesLeft === 0);
      const eligible = due.filter((each) => each.triesLeft > 0 && !this.#isBlocked(each));
      const taken = claimed.filter(({ endpointId }) => endpointId === lane.endpointId).map((each) => this.#find(each));
      if (slots > 0) for (const each of spent) each.state = 'failed';
      for (const each of taken) if (!eligible.includes(each)) throw new Error(`${show(each)} must not be claimed`);
      const expected = Math.min(eligible.length, Math.max(0, slots));
      if (taken.length !== expected) throw new Error(`${taken.length} were claimed of a lane, not ${expected}`);
    }
    for (const each of claimed) {
      const delivery = this.#find(each);
      delivery.attempts += 1;
      delivery.triesLeft -= 1;
      delivery.wait = 'in_flight';
    }
  }

  finish(claimed: ClaimedDelivery, verdict: AttemptVerdict): void {
    const delivery = this.#find(claimed);
    const { endpointId } = claimed;
    this.#failures.set(endpointId, verdict.kind === 'delivered' ? 0 : (this.#failures.get(endpointId) ?? 0) + 1);
    if (verdict.kind === 'delivered') delivery.state = 'delivered';
    else if (delivery.state === 'pending' && delivery.attempts === claimed.attempt) {
      delivery.wait = 'later';
      if (verdict.kind !== 'retry' || delivery.triesLeft === 0) delivery.state = 'failed';
    }
  }

  /** All retries become due, and workers that have not finished by now are gone. */
  passTime(): void {
    for (const each of this.#all) each.wait = 'due';
  }

  get pending(): number {
    return this.#all.filter(({ state }) => state === 'pending').length;
  }

  /** By message and endpoint. */
  get rows(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#all.map((each) => [
        `${each.messageId} ${each.lane.endpointId}`,
        `${each.state} ${each.attempts} ${each.triesLeft}`,
      ]),
    );
  }

  #of(lane: ModelLane): readonly ModelDelivery[] {
    return this.#all.filter((each) => each.lane === lane && each.state === 'pending');
  }

  #slotsOf(lane: ModelLane): number {
    const limit = (this.#failures.get(lane.endpointId) ?? 0) >= 5 ? 1 : lane.maxInFlight;
    return limit - this.#of(lane).filter(({ wait }) => wait === 'in_flight').length;
  }

  #isBlocked({ lane, call, event }: ModelDelivery): boolean {
    return this.#of(lane).some(
      (earlier) =>
        earlier.call === call &&
        earlier.event < event &&
        (earlier.attempts < 3 || (earlier.attempts === 3 && earlier.wait === 'in_flight')),
    );
  }

  #find({ messageId, endpointId }: ClaimedDelivery): ModelDelivery {
    const found = this.#all.find((each) => each.messageId === messageId && each.lane.endpointId === endpointId);
    if (!found) throw new Error(`${messageId} was never announced to ${endpointId}`);
    return found;
  }
}

function show({ call, event, state, attempts, wait }: ModelDelivery): string {
  return `event ${event} of call ${call} (${state}, ${attempts} attempts, ${wait})`;
}
