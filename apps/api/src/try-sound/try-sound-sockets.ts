import { randomUUID } from 'node:crypto';
import type { TrySoundClose } from '@outdial/contracts';
import type { TryRecord, TryStore } from '@outdial/persistence';
import type { MemberPrincipal } from '../http/principal.ts';
import type { UpgradeHandler } from '../http/protocol-errors.ts';
import { mediumDiffers, tryNotFound } from '../routes/tries/refusals.ts';
import { createMemberSockets, type MemberSocketsDeps } from '../sockets/member-sockets.ts';
import { trySoundParams } from './try-sound-request.ts';
import { TrySound, type TrySoundDeps } from './try-sound.ts';

export interface TrySoundSocketsDeps extends TrySoundDeps, MemberSocketsDeps {
  readonly store: Pick<TryStore, 'find'>;
}

interface Admitted {
  readonly principal: MemberPrincipal;
  readonly record: TryRecord;
}

/** Above the largest message of frames, so that one of another size is closed with its own code. */
const MOST_RECEIVED_BYTES = 4_096;

/** A member talks by microphone with an agent that they try: frames of sound both ways, over a WebSocket. */
export function createTrySoundSockets(deps: TrySoundSocketsDeps): UpgradeHandler {
  return createMemberSockets<Admitted, TrySoundClose>(deps, {
    mostReceivedBytes: MOST_RECEIVED_BYTES,
    async admit(request) {
      const { agentId, tryId, ...params } = trySoundParams(request);
      const principal = await deps.accessChecks.member(request, params);
      const record = await deps.store.find({ accountId: principal.account.id, agentId, tryId });
      // What one member says is not for another to hear.
      if (record === null || record.userId !== principal.session.user.id) throw tryNotFound();
      if (record.medium !== 'microphone') throw mediumDiffers(record.medium);
      return { principal, record };
    },
    serve(socket, { principal, record: { tryId, agentId } }, ending) {
      const find = () => deps.store.find({ accountId: principal.account.id, agentId, tryId });
      const sound = new TrySound(deps, { tryId, connection: randomUUID(), socket, find });
      ending.onEnd((reason) => sound.close(reason));
      return sound.carry();
    },
  });
}
