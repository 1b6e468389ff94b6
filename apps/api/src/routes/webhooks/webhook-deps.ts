import type { AccountId } from '@outdial/contracts';
import type { EgressClient } from '@outdial/egress';
import type { Clock } from '@outdial/kernel';
import type { WebhookEndpoints } from '@outdial/persistence';
import type { SecretKey } from '@outdial/secrets';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import type { PositionSeal } from '../../http/position-seal.ts';
import { actorOf, type AccountPrincipal } from '../../http/principal.ts';

export interface WebhookDeps {
  readonly clock: Clock;
  /** Opens the webhooks of an account. Cheap. */
  readonly openWebhooks: (input: { readonly accountId: AccountId; readonly actor: string }) => WebhookEndpoints;
  readonly egress: Pick<EgressClient, 'check'>;
  /** Null: not configured. */
  readonly secretKey: SecretKey | null;
  /** How far back the events and their log reach; null: as far as any replay. */
  readonly replayDays: () => Promise<number | null>;
  readonly deliveryCursors: PositionSeal;
  readonly heavyReads: HeavyReads;
}

/** The webhooks of the request's account, in its sender's name. */
export function webhooksOf({ openWebhooks }: Pick<WebhookDeps, 'openWebhooks'>, principal: AccountPrincipal) {
  return openWebhooks({ accountId: principal.account.id, actor: actorOf(principal) });
}
