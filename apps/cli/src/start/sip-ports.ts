import { createSocket } from 'node:dgram';
import { freePort } from '@outdial/local-stores';
import { LOOPBACK } from './loopback.ts';
import type { StartConfig } from './config.ts';
import { assertPortFree, isPortFree } from './port.ts';

const CALLEE_PORT = 5_080;
const WORKER_PORT = 5_060;

/** The SIP ports of the two ends of the demo's calls. */
export interface SipPorts {
  readonly callee: number;
  /** Undefined leaves the worker's own setting. */
  readonly worker: number | undefined;
}

/**
 * A softphone or a PBX on this machine must not prevent a first call, so default ports give way to the next free one.
 * A port that the user set does not give way, nor does the worker's port when it listens beyond loopback, since
 * firewall rules name it.
 *
 * @throws CliError
 */
export async function chooseSipPorts(config: StartConfig, env: NodeJS.ProcessEnv): Promise<SipPorts> {
  const { OUTDIAL_CALLEE_SIP_PORT: chosen } = config;
  if (chosen !== undefined) await assertPortFree(LOOPBACK, chosen, 'OUTDIAL_CALLEE_SIP_PORT');
  const isWorkersChosen = Boolean(env['SIP_PORT'] || env['SIP_LISTEN_ADDRESS']);
  return {
    callee: chosen ?? (await thisOrAnother(CALLEE_PORT, config.PORT)),
    worker: isWorkersChosen ? undefined : await thisOrAnother(WORKER_PORT, config.PORT),
  };
}

async function thisOrAnother(port: number, apiPort: number): Promise<number> {
  const isFree = (await isPortFree(LOOPBACK, port)) && (await isUdpPortFree(port));
  return isFree ? port : freePort({ avoid: [apiPort] });
}

function isUdpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createSocket('udp4');
    probe.once('error', () => {
      probe.close();
      resolve(false);
    });
    probe.bind({ address: LOOPBACK, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
