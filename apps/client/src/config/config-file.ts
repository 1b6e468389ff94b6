import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../exit-code.ts';
import type { Io } from '../io.ts';

/** A server and a key for it. */
export interface Profile {
  readonly baseUrl: string;
  readonly apiKey: string;
}
export type Profiles = Readonly<Record<string, Profile>>;

function configPath(env: Io['env']): string {
  const base = env['XDG_CONFIG_HOME'] ?? '';
  return join(base === '' ? join(env['HOME'] ?? homedir(), '.config') : base, 'outdial', 'config.json');
}

/** Empty without a file. @throws CommandError if the file cannot be used */
export async function readProfiles(env: Io['env']): Promise<Profiles> {
  const path = configPath(env);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}.`);
  });
  if (text === null) return {};
  const profiles = profilesIn(text);
  if (profiles === null)
    throw new CommandError(`${path} is not a configuration of outdial. Delete it and log in again.`);
  return profiles;
}

/** Only its owner may read the file: it has keys. */
export async function saveProfile(env: Io['env'], name: string, profile: Profile): Promise<string> {
  const path = configPath(env);
  const profiles = { ...(await readProfiles(env)), [name]: profile };
  const entries = Object.entries(profiles).map(([each, { baseUrl, apiKey }]) => [
    each,
    { base_url: baseUrl, api_key: apiKey },
  ]);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  await writeFile(part, `${JSON.stringify({ profiles: Object.fromEntries(entries) }, null, 2)}\n`, { mode: 0o600 });
  await chmod(part, 0o600);
  await rename(part, path);
  return path;
}

/** Null: it is something else. */
function profilesIn(text: string): Profiles | null {
  try {
    const { profiles } = fieldsOf(JSON.parse(text));
    const entries = Object.entries(fieldsOf(profiles)).map(([name, value]) => {
      const { base_url: baseUrl, api_key: apiKey } = fieldsOf(value);
      if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') throw new TypeError('no profile');
      return [name, { baseUrl, apiKey }] as const;
    });
    return Object.fromEntries(entries);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return { ...value };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
