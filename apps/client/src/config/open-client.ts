import { Outdial } from '@outdial/sdk';
import { CommandError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { readProfiles } from './config-file.ts';

export const DEFAULT_PROFILE = 'default';

/** The client of the chosen profile. What the environment names wins. @throws CommandError before a login */
export async function openClient({ env }: Pick<Io, 'env'>, profileName: string | undefined): Promise<Outdial> {
  const profiles = await readProfiles(env);
  const profile = profiles[profileName ?? DEFAULT_PROFILE];
  if (profileName !== undefined && profile === undefined) {
    throw new CommandError(`There is no profile ${profileName}. Run: outdial login --profile ${profileName}`);
  }
  const apiKey = given(env['OUTDIAL_API_KEY']) ?? profile?.apiKey;
  const baseUrl = given(env['OUTDIAL_BASE_URL']) ?? profile?.baseUrl;
  if (apiKey !== undefined && baseUrl !== undefined) return new Outdial({ apiKey, baseUrl });
  throw new CommandError('You are not logged in. Run: outdial login');
}

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
