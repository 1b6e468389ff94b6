import { execFile } from 'node:child_process';
import { EnvError } from '@outdial/kernel';
import { CALLEE_ADDRESS } from './callee-address.ts';
import { calleeEnv, serviceEnv } from './service-env.ts';
import { programArgs, ROOT_DIR, type ServiceName } from './service-process.ts';
import type { StartInput } from './start-input.ts';

/** Placeholders for values that exist only later: a start that fails on a typo must leave nothing behind. */
const NOT_YET_KNOWN = {
  databaseUrl: 'postgresql://127.0.0.1/outdial',
  redisUrl: 'redis://127.0.0.1/0',
  secret: '00'.repeat(32),
  port: 1,
};

const CHECK_LIMIT_MS = 20_000;
const MAX_FRESH_STARTS = 2;

/** Each service checks its own settings. @throws EnvError with one sentence for each invalid setting. */
export async function checkServiceSettings(
  input: Pick<StartInput, 'config' | 'env' | 'stop' | 'terminal'>,
  withCallee: boolean,
): Promise<void> {
  const { config, env } = input;
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
  const complaints = await Promise.all([
    complaintsOf(input, 'api', places),
    complaintsOf(input, 'worker', places),
    withCallee
      ? complaintsOf(input, 'callee', calleeEnv(input, { address: CALLEE_ADDRESS, port: NOT_YET_KNOWN.port }))
      : [],
  ]);
  // Several services read some of the settings.
  const sentences = [...new Set(complaints.flat())];
  if (sentences.length > 0) throw new EnvError(sentences.join('\n'));
}

/** A service may hang while it loads, here as at its start: see `startWithHangDetection`. */
async function complaintsOf(
  { stop, terminal }: Pick<StartInput, 'stop' | 'terminal'>,
  name: ServiceName,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  for (let freshStarts = 0; ; freshStarts += 1) {
    const limitMs = freshStarts < MAX_FRESH_STARTS ? CHECK_LIMIT_MS : 0;
    const complaints = await checkConfig(name, env, { limitMs, stop: stop.requested });
    if (complaints) return complaints;
    // After a stop request the result no longer matters.
    if (stop.requested.aborted) return [];
    const what = `The settings of the ${name} were not checked within ${limitMs / 1_000} s`;
    terminal.print(terminal.paint.warning(`${what}; trying again.`));
  }
}

/** Undefined if it was killed. A limit of 0 means no limit. */
function checkConfig(
  name: ServiceName,
  env: NodeJS.ProcessEnv,
  { limitMs, stop }: { readonly limitMs: number; readonly stop: AbortSignal },
): Promise<readonly string[] | undefined> {
  return new Promise((resolve, reject) => {
    const args = programArgs(`apps/${name}/dist/check-config.js`);
    const options = { cwd: ROOT_DIR, env, timeout: limitMs, killSignal: 'SIGKILL' } as const;
    const child = execFile(process.execPath, args, options, (error, _stdout, stderr) => {
      stop.removeEventListener('abort', cut);
      if (error === null) resolve([]);
      else if (error.killed === true) resolve(undefined);
      else if (error.code === 1 && stderr !== '') resolve(stderr.trimEnd().split('\n'));
      else reject(new Error(`the settings of the ${name} cannot be checked: ${stderr}`, { cause: error }));
    });
    // The option `signal` would send SIGTERM and not wait for the exit.
    const cut = () => void child.kill('SIGKILL');
    stop.addEventListener('abort', cut);
    if (stop.aborted) cut();
  });
}
