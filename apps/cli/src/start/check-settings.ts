import { execFile } from 'node:child_process';
import { EnvError } from '@outdial/kernel';
import { CliError } from '../cli-error.ts';
import { LOOPBACK } from './loopback.ts';
import { programArgs, ROOT_DIR, type ServiceName } from './programs.ts';
import { calleeEnv, modelsEnv, serviceEnv } from './service-env.ts';
import type { StartInput } from './start-input.ts';
import { aborted } from './stop-signals.ts';

/** Placeholders for values that exist only later: a start that fails on a typo must leave nothing behind. */
const NOT_YET_KNOWN = {
  databaseUrl: 'postgresql://127.0.0.1/outdial',
  redisUrl: 'redis://127.0.0.1/0',
  secret: '00'.repeat(32),
  port: 1,
};

const CHECK_LIMIT_MS = 60_000;

/** Each service checks its own settings. @throws EnvError with one sentence for each invalid setting. */
export async function checkServiceSettings(
  input: Pick<StartInput, 'config' | 'env' | 'stop'>,
  { withCallee, withModels }: { readonly withCallee: boolean; readonly withModels: boolean },
): Promise<void> {
  const { config, env, stop } = input;
  const places = serviceEnv(input, {
    databaseUrl: config.DATABASE_URL ?? NOT_YET_KNOWN.databaseUrl,
    redisUrl: config.REDIS_URL ?? NOT_YET_KNOWN.redisUrl,
    dataDir: config.OUTDIAL_DATA_DIR,
    keyPepper: env['OUTDIAL_KEY_PEPPER'] || NOT_YET_KNOWN.secret,
    secretKey: env['OUTDIAL_SECRET_KEY'] || NOT_YET_KNOWN.secret,
    workerHealthPort: NOT_YET_KNOWN.port,
    sipPort: undefined,
    hasTestNumbers: withCallee || config.OUTDIAL_CARRIER === 'simulated',
  });
  const callee = calleeEnv(input, { address: LOOPBACK, port: NOT_YET_KNOWN.port });
  const complaints = await Promise.all([
    complaintsOf('api', places, stop.requested),
    complaintsOf('worker', places, stop.requested),
    withCallee ? complaintsOf('callee', callee, stop.requested) : [],
    withModels ? complaintsOf('models', modelsEnv(input, NOT_YET_KNOWN.port), stop.requested) : [],
  ]);
  // Several services read some of the settings.
  const sentences = [...new Set(complaints.flat())];
  if (sentences.length > 0) throw new EnvError(sentences.join('\n'));
}

function complaintsOf(name: ServiceName, env: NodeJS.ProcessEnv, stop: AbortSignal): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const options = { cwd: ROOT_DIR, env, timeout: CHECK_LIMIT_MS, killSignal: 'SIGKILL' } as const;
    const child = execFile(process.execPath, programArgs(name, 'check-config'), options, (error, _stdout, stderr) => {
      if (error === null) resolve([]);
      else if (error.code === 1 && stderr !== '') resolve(stderr.trimEnd().split('\n'));
      else if (stop.aborted) reject(stop.reason);
      else reject(new CliError(`The settings of the ${name} could not be checked (${error.message}): start again.`));
    });
    void aborted(stop).then(() => child.kill('SIGKILL'));
  });
}
