import { Outdial } from '@outdial/sdk';
import { saveProfile } from '../config/config-file.ts';
import { DEFAULT_PROFILE } from '../config/open-client.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { plain } from '../terminal/plain.ts';
import { openAsking } from '../terminal/ask.ts';
import type { CommandContext } from './command-context.ts';

/** Asks for the server and the key, tries them, and keeps them. A key is no argument: `ps` would show it. */
export async function login(context: CommandContext, given: { readonly url: string | undefined }): Promise<ExitCode> {
  const { io } = context;
  const name = context.profile ?? DEFAULT_PROFILE;
  const asking = openAsking(io);
  try {
    const baseUrl = addressOf(
      given.url ?? (await asking.ask('Address of the server, such as https://calls.example.com')),
    );
    const apiKey = await asking.ask('API key', { isSecret: true });
    if (apiKey === '') throw new CommandError('The API key is empty.', EXIT.usage);
    const account = await new Outdial({
      baseUrl,
      apiKey,
      allowHttp: io.env['OUTDIAL_ALLOW_HTTP'] === 'true',
    }).account.get({ signal: io.interrupted });
    const path = await saveProfile(io.env, name, { baseUrl, apiKey });
    context.print({
      json: { profile: name, account: { id: account.id, name: account.name }, path },
      text: `Logged in to ${plain(account.name)} at ${baseUrl}. The key is in ${path}.\n`,
    });
    return EXIT.done;
  } finally {
    asking.close();
  }
}

function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  throw new CommandError('The address must be a URL such as https://calls.example.com.', EXIT.usage);
}
