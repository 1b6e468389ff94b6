import { contactFor } from '../core/addressing.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import { parseNameAddr } from '../syntax/name-addr.ts';
import { SIPFRAG_TYPE } from '../syntax/sipfrag.ts';
import { reasonPhrase } from '../transaction/reason-phrases.ts';
import { createResponse } from '../transaction/responses.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Channel } from '../transport/transport.ts';
import type { DialogClient } from './dialog-client.ts';

/** How long the caller's subscription lasts unless a report ends it. */
const SUBSCRIPTION_SECONDS = 60;

export interface IncomingReferralOptions {
  readonly transaction: ServerTransaction;
  readonly client: Pick<DialogClient, 'send'>;
  readonly channel: () => Channel;
  readonly contactUser: string | null;
}

/** A REFER of the far end: accept it and report by `notify`, or reject it. */
export class IncomingReferral {
  /** The URI of Refer-To. */
  readonly target: string;
  /** The URI of Referred-By (RFC 3892); null without one. */
  readonly referredBy: string | null;
  readonly #options: IncomingReferralOptions;
  #isOver = false;

  constructor(options: IncomingReferralOptions, target: string) {
    this.#options = options;
    this.target = target;
    this.referredBy = parseNameAddr(this.#request.headers.get('referred-by') ?? '')?.uri ?? null;
  }

  get #request(): ReceivedRequest {
    return this.#options.transaction.request;
  }

  /** 202. The far end then expects a report at once (RFC 3515 section 2.4.4). */
  accept(): void {
    const { transaction, channel, contactUser } = this.#options;
    const headers = [['contact', contactFor(channel(), contactUser)]] as const;
    transaction.respond(createResponse(this.#request, 202, { headers }));
  }

  /** A final response from 3xx to 6xx. */
  reject(status: number): void {
    this.#options.transaction.respond(createResponse(this.#request, status));
  }

  /** Reports the status of the new call. A final one ends the subscription. */
  notify(status: number): void {
    if (this.#isOver) return;
    this.#isOver = status >= 200;
    const state = this.#isOver ? 'terminated;reason=noresource' : `active;expires=${SUBSCRIPTION_SECONDS}`;
    const headers = [
      ['event', `refer;id=${this.#request.cseq.number}`],
      ['subscription-state', state],
      ['content-type', SIPFRAG_TYPE],
    ] as const;
    const body = `SIP/2.0 ${status} ${reasonPhrase(status)}\r\n`;
    this.#options.client.send('NOTIFY', { headers, body }, () => undefined);
  }
}

/** The target of a REFER; undefined unless it names exactly one (RFC 3515 section 2.4.2). */
export function referTarget({ headers }: ReceivedRequest): string | undefined {
  const [value, ...others] = headers.all('refer-to');
  return value === undefined || others.length > 0 ? undefined : parseNameAddr(value)?.uri;
}
