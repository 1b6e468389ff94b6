import { readFileSync } from 'node:fs';
import { envInteger, envLogLevel, parseEnv, type Env, type EnvSpec } from '@outdial/kernel';
import { z } from 'zod';
import { DEMO_SCRIPT, parseScript } from './script.ts';

const scriptFile = z.string().transform((path, context) => {
  try {
    return parseScript(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: 'custom', message: `must be a file with a script (${reason})` });
    return z.NEVER;
  }
});

/** Every variable that the simulated providers read. */
export const modelsEnv = {
  OUTDIAL_MODELS_HOST: {
    schema: z.string().default('127.0.0.1'),
    description: 'Address to listen on. The simulated providers are no protection for anything: keep it on loopback.',
  },
  OUTDIAL_MODELS_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).default(5_090),
    description: 'Port of all simulated providers; 0 picks a free one, which is logged.',
  },
  OUTDIAL_MODELS_SCRIPT: {
    schema: scriptFile.default(() => DEMO_SCRIPT),
    description: 'JSON file with what the simulated model answers; the script of the demo if not set.',
  },
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Lowest level of log lines that are written.' },
} as const satisfies EnvSpec;

export type ModelsConfig = Env<typeof modelsEnv>;

/** @throws EnvError that names each invalid variable. */
export function readConfig(source: NodeJS.ProcessEnv): ModelsConfig {
  return parseEnv(modelsEnv, source);
}
