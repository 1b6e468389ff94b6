import { createLogger } from '@outdial/kernel';
import { TEST_NUMBERS } from '@outdial/simulated-network';
import { claimRtpPorts } from '@outdial/testkit';
import { compose, type CalleeNetwork } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

export interface TestNetworkOptions {
  /** How many calls may have RTP at once; default: the test's whole range. */
  readonly rtpPairs?: number;
}

/** The network in this process, on a free SIP port, with its own RTP ports until it stops. */
export async function startCallee(
  environment: Readonly<Record<string, string>> = {},
  { rtpPairs }: TestNetworkOptions = {},
): Promise<CalleeNetwork> {
  const ports = await claimRtpPorts();
  const lastPort = rtpPairs === undefined ? ports.lastPort : ports.firstPort + 2 * rtpPairs - 1;
  const rtp = { OUTDIAL_CALLEE_RTP_PORTS: `${ports.firstPort}-${lastPort}` };
  try {
    const config = readConfig({ OUTDIAL_CALLEE_SIP_PORT: '0', ...rtp, ...environment });
    const network = await compose({ config, logger: createLogger({ name: 'callee', level: 'silent' }) });
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= network.stop().then(() => ports.release()));
    return { sipPort: network.sipPort, sipTlsPort: network.sipTlsPort, stop };
  } catch (error) {
    await ports.release();
    throw error;
  }
}

/** Every test number with another persona behind it. */
export function shuffledTable(): ReadonlyMap<string, string> {
  const numbers = [...TEST_NUMBERS.keys()];
  const names = [...TEST_NUMBERS.values()].map(({ name }) => name);
  const step = 7;
  return new Map(numbers.map((number, index) => [number, names[(index + step) % names.length] ?? '']));
}

export const asJson = (table: ReadonlyMap<string, string>): string => JSON.stringify(Object.fromEntries(table));

export function numberOf(table: ReadonlyMap<string, string>, persona: string): string {
  const number = [...table].find(([, name]) => name === persona)?.[0];
  if (number === undefined) throw new Error(`no persona in the table is ${persona}`);
  return number;
}
