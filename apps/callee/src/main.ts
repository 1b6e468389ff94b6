import { createLogger, describeFailure, EnvError } from '@outdial/kernel';
import { VoiceClipError } from '@outdial/simulated-network';
import { compose, type CalleeNetwork } from './compose.ts';
import { readConfig } from './config.ts';
import { StartError } from './start-error.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger({ name: 'callee', level: config.LOG_LEVEL });
  const network = await compose({ config, logger });
  stopOnSignal(network);
  const { OUTDIAL_CALLEE_ADDRESS: address, OUTDIAL_CALLEE_RTP_PORTS: rtpPorts } = config;
  const { sipPort, sipTlsPort } = network;
  logger.info({ event: 'callee.started', address, sipPort, sipTlsPort, rtpPorts }, 'answering calls');
}

function stopOnSignal(network: CalleeNetwork): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal means that the shutdown takes too long.
      if (isStopping) process.exit(1);
      isStopping = true;
      network.stop().then(() => process.exit(0), fail);
    });
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${describeFailure(error, [EnvError, StartError, VoiceClipError])}
`);
  process.exit(1);
}

main().catch(fail);
