import { DESTINATION } from '../processes/fixtures.ts';
import type { ActionKind } from '../profile.ts';
import { settle } from '../world/clock.ts';
import { choose, type Act } from './action.ts';

const RING_TIMEOUT_SECONDS = 15;

/** Agents transfer their callees warm, and introduce them to who answers. */
export const TRANSFER_ACTS = {
  /** The agent of a call that talks asks for it, mostly once the last one has failed; a model may also ask twice. */
  async transfer({ conversations }, pick) {
    const talking = conversations.running().filter(({ isTalking }) => isTalking);
    const ready = talking.filter(({ isTransferring }) => !isTransferring);
    const speaker = choose(pick % 4 === 0 || ready.length === 0 ? talking : ready, pick);
    if (!speaker) return;
    speaker.isTransferring = true;
    speaker.listener({
      kind: 'transfer',
      destination: 'Sales',
      target: { kind: 'number', number: DESTINATION },
      warm: { ringTimeoutSeconds: RING_TIMEOUT_SECONDS },
    });
    await settle();
  },
  async introduce({ conversations }, pick) {
    const speaker = choose(
      conversations.running().filter(({ isIntroducing }) => isIntroducing),
      pick,
    );
    if (!speaker) return;
    speaker.isIntroducing = false;
    speaker.listener({ kind: 'introduced' });
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;
