import { join } from 'node:path';
import { freePort } from '@outdial/testkit';
import { trunkNameSchema } from '@outdial/contracts';
import type { Administration } from '@outdial/persistence';
import { openDatagramProxy, type DatagramProxy } from './datagram-proxy.ts';
import { startSubprocess } from './subprocess.ts';
import { numberTable } from './numbers.ts';

/** Also the system's capacity over SIP. */
export const TRUNK_CHANNELS = 150;

const RTP_PORTS = '14000-15999';

export interface CalleeNetwork {
  /** Requests that start a call pass through here; inside a dialog both sides speak directly. */
  readonly signalling: DatagramProxy;
  close(): Promise<void>;
}

/** Starts the telephone network over SIP, and creates a trunk to it. */
export async function startCallee(
  admin: Administration,
  { logDir, journalPath }: { readonly logDir: string; readonly journalPath: string },
): Promise<CalleeNetwork> {
  const port = await freePort();
  const callee = startSubprocess({
    name: 'callee',
    entry: 'apps/callee/src/main.ts',
    env: {
      OUTDIAL_CALLEE_SIP_PORT: String(port),
      OUTDIAL_CALLEE_RTP_PORTS: RTP_PORTS,
      OUTDIAL_CALLEE_TABLE: JSON.stringify(numberTable()),
      OUTDIAL_CALLEE_JOURNAL: journalPath,
    },
    logPath: join(logDir, 'callee.log'),
  });
  await callee.said('answering calls');
  const signalling = await openDatagramProxy(port);
  await admin.trunks.add({
    name: trunkNameSchema.parse('callee'),
    uri: `sip:127.0.0.1:${signalling.port}`,
    transport: 'udp',
    outboundProxy: null,
    credentials: null,
    channels: TRUNK_CHANNELS,
    callsPerSecond: 30,
    callerId: { prefixes: [], asserted: false },
    numberFormat: 'e164',
    codecs: ['PCMU', 'PCMA'],
    priority: 10,
    healthCheck: 'options',
    weight: 10,
  });
  return {
    signalling,
    async close() {
      callee.signal('SIGKILL');
      await callee.ended;
      signalling.close();
    },
  };
}
