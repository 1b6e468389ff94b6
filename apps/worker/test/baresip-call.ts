import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndedCall } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import { trunkNameSchema } from '@outdial/contracts';
import { createAdministration, createReconcileStore } from '@outdial/persistence';
import { createTrunkChannels } from '@outdial/reservations';
import { claimRtpPorts, LOCALHOST_IDENTITY, startBaresip, type Baresip, type BaresipOptions } from '@outdial/testkit';
import { startChildWorker } from './child-worker.ts';
import type { Stage } from './stage.ts';

const NUMBER = '+12025550150';
const TRUNK = trunkNameSchema.parse('baresip');

export interface BaresipCallOptions extends Pick<BaresipOptions, 'transport' | 'plays'> {
  /** By the agent with a no-input timeout of a minute. */
  readonly patient: boolean;
}

/** A call of the stage's account, by a worker in its own process, to a baresip that is its only trunk. */
export interface BaresipCall {
  readonly baresip: Baresip;
  /** Resolves once the call has ended and its worker has stopped. @throws if the worker exits with an error */
  ended(): Promise<EndedCall>;
  close(): Promise<void>;
}

/** The call has been placed when this resolves. */
export async function callBaresip(stage: Stage, { patient, ...options }: BaresipCallOptions): Promise<BaresipCall> {
  const { trunks } = createAdministration(stage.database, { actor: 'test' });
  const baresip = await startBaresip({ number: NUMBER, ...options });
  const ports = await claimRtpPorts();
  const trunk = trunkOf({ name: TRUNK, uri: baresip.uri, transport: options.transport });
  await trunks.add({ ...trunk, credentials: null });
  // A worker whose trunk is down stops the acceptance of calls: wait until what the previous one published has expired.
  const limits = await createReconcileStore(stage.database).systemLimits();
  await createTrunkChannels({ redis: stage.redis }).limitSystem(limits);
  const callId = await stage.place(NUMBER, { patient });
  const authority = join(stage.dataDir, 'authority.pem');
  await writeFile(authority, LOCALHOST_IDENTITY.authority);
  const worker = startChildWorker(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: ports.range,
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
      NODE_EXTRA_CA_CERTS: authority,
    }),
  );
  return {
    baresip,
    async ended() {
      const call = await stage.untilEnded(callId);
      worker.signal('SIGTERM');
      const code = await worker.exited();
      if (code !== 0) throw new Error(`the worker ended with code ${code}`);
      return call;
    },
    async close() {
      worker.signal('SIGKILL');
      await worker.exited();
      await baresip.stop();
      await ports.release();
      await trunks.remove(TRUNK);
    },
  };
}
