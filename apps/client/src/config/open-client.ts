import { Outdial } from '@outdial/sdk';
import { CommandError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { readProfiles, type Profile } from './config-file.ts';

export const DEFAULT_PROFILE = 'default';

/** The client of the profile that the command line names, else of what the environment names, else of the default profile. @throws CommandError before a login @throws OutdialError without a safe address */
export async function openClient({ env }: Pick<Io, 'env'>, profileName: string | undefined): Promise<Outdial> {
  const profiles = await readProfiles(env);
  const profile = profiles[profileName ?? DEFAULT_PROFILE];
  if (profileName !== undefined && profile === undefined) {
    throw new CommandError(`There is no profile ${profileName}. Run: outdial login --profile ${profileName}`);
  }
  // A command that names a profile must not place calls from another account.
  const chosen = profileName === undefined ? env : {};
  const ownKey = given(chosen['OUTDIAL_API_KEY']);
  const ownUrl = given(chosen['OUTDIAL_BASE_URL']);
  if (ownKey === undefined && ownUrl !== undefined && profile !== undefined) requireSameServer(ownUrl, profile);
  const apiKey = ownKey ?? profile?.apiKey;
  const baseUrl = ownUrl ?? profile?.baseUrl;
  if (apiKey === undefined || baseUrl === undefined)
    throw new CommandError('You are not logged in. Run: outdial login');
  return new Outdial({ apiKey, baseUrl, allowHttp: env['OUTDIAL_ALLOW_HTTP'] === 'true' });
}

/** A variable that another program or a folder has set must not carry the key of a login to another server. */
function requireSameServer(url: string, { baseUrl }: Profile): void {
  if (originOf(url) === originOf(baseUrl)) return;
  const why = 'OUTDIAL_BASE_URL names another server than your login, and the key of a login goes to its server alone.';
  throw new CommandError(`${why} Set OUTDIAL_API_KEY too, or unset OUTDIAL_BASE_URL.`);
}

function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
