import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import type { ClaimedDelivery, WebhookStore } from './webhook-store.ts';

/** A listener that a program holds open. */
export interface Listening {
  readonly listenerId: WebhookEndpointId;
  readonly accountId: AccountId;
  /** How many messages it takes now. With 0 it only stays alive. */
  readonly room: number;
}

/** A delivery that a listener takes. It has half a minute, then it is handed out again. */
export type HeardDelivery = Omit<ClaimedDelivery, 'kind' | 'url' | 'laneId' | 'laneIsHealthy'>;

export interface Hearing {
  /** In the order of their events. */
  readonly deliveries: readonly HeardDelivery[];
  /** Those of the listeners asked for that have not expired. */
  readonly alive: ReadonlySet<WebhookEndpointId>;
}

/** What handing out needs of Postgres. */
export interface ListenerStore extends Pick<WebhookStore, 'factsOf' | 'keepBodies' | 'release' | 'finish'> {
  /**
   * Takes what is due for these listeners, and keeps them alive. Of one call, the next event is due once the one before it
   * has a result. Accounts take turns. One statement, for however many listeners.
   */
  hear(listening: readonly Listening[]): Promise<Hearing>;
}
