import type { WebhookMessageId } from '@outdial/contracts';
import type {
  Claim,
  ClaimedDelivery,
  ClaimLimits,
  FinishedAttempt,
  MessageFacts,
  UnreadableMessage,
  WebhookStore,
} from '../ports/webhook-store.ts';

/** What a sender asks of the store, with the answers that a test has written. It decides nothing itself. */
export class ScriptedStore implements Pick<WebhookStore, 'claim' | 'factsOf' | 'keepBodies' | 'release' | 'finish'> {
  /** Each claim takes the first; afterwards there is nothing. */
  readonly claims: (readonly ClaimedDelivery[] | Promise<readonly ClaimedDelivery[]> | Error)[] = [];
  readonly limits: ClaimLimits[] = [];
  readonly facts: (MessageFacts | UnreadableMessage)[] = [];
  readonly bodies = new Map<WebhookMessageId, string>();
  readonly finished: FinishedAttempt[] = [];
  readonly released: Parameters<WebhookStore['release']>[0][number][] = [];
  /** Bodies are neither read nor kept. */
  isAway = false;
  /** The next finishes and releases that are rejected. */
  finishErrors = 0;
  nextDueInMs: number | null = null;
  claimsAtOnce = 0;
  mostClaimsAtOnce = 0;

  async claim(limits: ClaimLimits): Promise<Claim> {
    this.limits.push(limits);
    this.claimsAtOnce += 1;
    this.mostClaimsAtOnce = Math.max(this.mostClaimsAtOnce, this.claimsAtOnce);
    try {
      const deliveries = await (this.claims.shift() ?? []);
      if (deliveries instanceof Error) throw deliveries;
      return { deliveries, hasMoreLanes: false, nextDueInMs: this.nextDueInMs };
    } finally {
      this.claimsAtOnce -= 1;
    }
  }

  async factsOf(messageIds: readonly WebhookMessageId[]): Promise<readonly (MessageFacts | UnreadableMessage)[]> {
    if (this.isAway) throw new Error('Postgres is away');
    return this.facts.filter(({ messageId }) => messageIds.includes(messageId));
  }

  async keepBodies(
    bodies: readonly { readonly messageId: WebhookMessageId; readonly body: string }[],
  ): Promise<ReadonlyMap<WebhookMessageId, string>> {
    for (const { messageId, body } of bodies) if (!this.bodies.has(messageId)) this.bodies.set(messageId, body);
    return this.bodies;
  }

  async release(claims: Parameters<WebhookStore['release']>[0]): Promise<void> {
    this.#failIfAsked();
    this.released.push(...claims);
  }

  async finish(attempt: FinishedAttempt): Promise<void> {
    this.#failIfAsked();
    this.finished.push(attempt);
  }

  #failIfAsked(): void {
    if (this.finishErrors === 0) return;
    this.finishErrors -= 1;
    throw new Error('Postgres is away');
  }
}
