import { createLogger, describeFailure, EnvError } from '@outdial/kernel';
import { compose, type SimulatedModels } from './compose.ts';
import { readConfig } from './config.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger({ name: 'models', level: config.LOG_LEVEL });
  const models = await compose(config);
  stopOnSignal(models);
  logger.info({ event: 'models.started', port: models.port }, 'the simulated providers answer');
}

function stopOnSignal(models: SimulatedModels): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal means that the shutdown takes too long.
      if (isStopping) process.exit(1);
      isStopping = true;
      models.stop().then(() => process.exit(0), fail);
    });
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${describeFailure(error, [EnvError])}\n`);
  process.exit(1);
}

main().catch(fail);
