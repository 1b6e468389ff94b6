import { readFile } from 'node:fs/promises';

/** What a reader of `docs/guides/local-ai.md` types for its servers. */
export interface LocalAiGuide {
  /** The arguments of each `npm run admin -- credentials …`, in order. */
  readonly credentialCommands: readonly (readonly string[])[];
  /** The variables that the commands take secrets from. */
  readonly secretVariables: readonly string[];
  /** The agent's settings, as JSON. */
  readonly settings: string;
}

const PATH = new URL('../../../docs/guides/local-ai.md', import.meta.url);
/** The servers of the guide. */
const SERVERS = /https?:\/\/10\.20\.0\.7:\d+/g;

/** Reads the guide. `serverUrl` is where its servers are. */
export async function readLocalAiGuide(serverUrl: string): Promise<LocalAiGuide> {
  const guide = (await readFile(PATH, 'utf8')).replaceAll(SERVERS, serverUrl);
  const commands = [...guide.matchAll(/^npm run admin -- (credentials .+)$/gm)].map(([, typed = '']) => typed);
  const secretVariables = commands.flatMap((typed) => /--from-env (\S+)/.exec(typed)?.[1] ?? []);
  const settings = /^```json\n(.+?)^```$/ms.exec(guide)?.[1];
  if (settings === undefined) throw new Error('the guide has no settings of an agent');
  return { credentialCommands: commands.map((typed) => typed.split(' ')), secretVariables, settings };
}
