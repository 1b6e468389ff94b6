import { ALLOW, SUPPORTED } from '../core/capabilities.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { SDP_TYPE, sessionBodyOf } from '../sdp/session-body.ts';
import type { Direction } from '../sdp/session-description.ts';
import type { DialogClient, RequestResult } from './dialog-client.ts';
import type { DialogMedia } from './dialog-media.ts';
import type { ReofferOutcome } from './session.ts';

const MAX_OFFERS = 3;

/** How long a side waits after requests of both collided: the one that sent the INVITE waits longer. */
export const glarePauseMs = (random: () => number, ownsCallId: boolean): number =>
  ownsCallId ? 2_100 + random() * 1_900 : random() * 2_000;

export interface ReoffererOptions {
  readonly core: Pick<AgentCore, 'clock' | 'random'>;
  readonly dialog: Dialog;
  readonly client: DialogClient;
  readonly media: DialogMedia;
  /** Whether we sent the INVITE: decides which side pauses longer after a glare. */
  readonly ownsCallId: boolean;
  /** Another offer, of either side, is pending. */
  readonly isBusy: () => boolean;
  readonly isOver: () => boolean;
  readonly onLost: (detail: string) => void;
}

/** Changes the media by re-INVITE (RFC 3261 section 14.1). */
export class Reofferer {
  readonly #options: ReoffererOptions;
  #isOffering = false;

  constructor(options: ReoffererOptions) {
    this.#options = options;
  }

  get isOffering(): boolean {
    return this.#isOffering;
  }

  /** Offers a direction. Repeats the offer a few times after a glare. */
  async reoffer(direction: Direction): Promise<ReofferOutcome> {
    const { core, ownsCallId } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#offer(direction);
      if (outcome !== 'glare' || attempt === MAX_OFFERS) return outcome;
      await new Promise<void>((resolve) => core.clock.after(glarePauseMs(core.random, ownsCallId), resolve));
    }
  }

  async #offer(direction: Direction): Promise<ReofferOutcome> {
    const { client, media, isBusy, isOver, onLost } = this.#options;
    if (isOver()) return 'gone';
    if (this.#isOffering || isBusy()) return 'glare';
    const body = media.offer(direction);
    if (body === undefined) return 'refused';
    const headers = [
      ['content-type', SDP_TYPE],
      ['supported', SUPPORTED],
      ['allow', ALLOW],
    ] as const;
    this.#isOffering = true;
    const result = await new Promise<RequestResult>((resolve) => client.send('INVITE', { headers, body }, resolve));
    this.#isOffering = false;
    if (result.kind === 'lost') onLost(result.detail);
    if (result.kind === 'lost' || isOver()) return 'gone';
    return this.#settle(result.response);
  }

  #settle(response: Extract<RequestResult, { kind: 'response' }>['response']): ReofferOutcome {
    const { dialog, media, onLost } = this.#options;
    const { status } = response;
    if (status === 408 || status === 481) {
      onLost(`the offer was answered with ${status}`);
      return 'gone';
    }
    if (status >= 300) return status === 491 ? 'glare' : 'refused';
    dialog.retarget(response);
    return media.acceptAnswer(sessionBodyOf(response)) ? 'accepted' : 'refused';
  }
}
