import type { WebhookMessageId } from '@outdial/contracts';
import type {
  Claim,
  ClaimedDelivery,
  ClaimLimits,
  FinishedAttempt,
  MessageFacts,
  WebhookStore,
} from '../ports/webhook-store.ts';

/** What a sender asks of the store, with the answers that a test has written. It decides nothing itself. */
export class ScriptedStore implements Pick<WebhookStore, 'claim' | 'factsOf' | 'keepBodies' | 'finish'> {
  /** Each claim takes the first; afterwards there is nothing. */
  readonly claims: (readonly ClaimedDelivery[] | Promise<readonly ClaimedDelivery[]> | Error)[] = [];
  readonly limits: ClaimLimits[] = [];
  readonly facts: MessageFacts[] = [];
  readonly bodies = new Map<WebhookMessageId, string>();
  readonly finished: FinishedAttempt[] = [];
  /** The next finishes that are rejected. */
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

  async factsOf(messageIds: readonly WebhookMessageId[]): Promise<readonly MessageFacts[]> {
    return this.facts.filter(({ messageId }) => messageIds.includes(messageId));
  }

  async keepBodies(
    bodies: readonly { readonly messageId: WebhookMessageId; readonly body: string }[],
  ): Promise<ReadonlyMap<WebhookMessageId, string>> {
    for (const { messageId, body } of bodies) if (!this.bodies.has(messageId)) this.bodies.set(messageId, body);
    return this.bodies;
  }

  async finish(attempt: FinishedAttempt): Promise<void> {
    if (this.finishErrors > 0) {
      this.finishErrors -= 1;
      throw new Error('Postgres is away');
    }
    this.finished.push(attempt);
  }
}
