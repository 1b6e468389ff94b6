import { execFile } from 'node:child_process';
import { EnvError } from '@outdial/kernel';
import { CALLEE_ADDRESS } from './callee-address.ts';
import { calleeEnv, serviceEnv } from './service-env.ts';
import { programArgs, ROOT_DIR, type ServiceName } from './service-process.ts';
import type { StartInput } from './start-input.ts';

/** Stands for what is made or found only later: a start that a typo ends must leave nothing behind. */
const NOT_YET_KNOWN = {
  databaseUrl: 'postgresql://127.0.0.1/outdial',
  redisUrl: 'redis://127.0.0.1/0',
  secret: '00'.repeat(32),
  port: 1,
};

/** Each service reads its own settings: nobody else knows them. @throws EnvError with a sentence for each that is wrong. */
export async function checkServiceSettings(
  input: Pick<StartInput, 'config' | 'env'>,
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
  });
  const complaints = await Promise.all([
    complaintsOf('api', places),
    complaintsOf('worker', places),
    withCallee ? complaintsOf('callee', calleeEnv(input, { address: CALLEE_ADDRESS, port: NOT_YET_KNOWN.port })) : [],
  ]);
  // Some settings are read by several of them.
  const sentences = [...new Set(complaints.flat())];
  if (sentences.length > 0) throw new EnvError(sentences.join('\n'));
}

function complaintsOf(name: ServiceName, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const args = programArgs(`apps/${name}/src/check-config.ts`);
    execFile(process.execPath, args, { cwd: ROOT_DIR, env }, (error, _stdout, stderr) => {
      if (error === null) resolve([]);
      else if (error.code === 1 && stderr !== '') resolve(stderr.trimEnd().split('\n'));
      else reject(new Error(`the settings of the ${name} cannot be checked: ${stderr}`, { cause: error }));
    });
  });
}
