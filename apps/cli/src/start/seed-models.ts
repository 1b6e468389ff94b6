import { readFile } from 'node:fs/promises';
import type { AccountId, AgentSettings, Provider } from '@outdial/contracts';
import type { Administration, AgentRecord } from '@outdial/persistence';
import type { SecretKey } from '@outdial/secrets';
import { parseAgentSettings } from '../admin/agent-settings-file.ts';
import { DEMO_DIR } from './demo-folder.ts';

/** The simulated providers accept keys that begin with `sk-simulated-`. */
const KEY = 'sk-simulated-demo';
/** A name is unique among the operator's credentials. */
const nameFor = (provider: Provider): string => `simulated-${provider}`;
/** Below the address of the simulated providers, where the interface of each begins. */
const PATHS = {
  openai: '/v1',
  openai_live: '/v1',
  deepgram: '',
  elevenlabs: '',
  azure: '',
  xai: '/xai/v1',
  google: '/v1beta',
} as const satisfies Partial<Record<Provider, string>>;
const SEEDED = ['openai', 'openai_live', 'deepgram', 'elevenlabs', 'azure', 'xai', 'google'] as const;
const TOOL_PATH = '/tools/free-slots';

/** Creates the operator's credentials for the simulated providers, or makes them lead to where those listen now. */
export async function ensureSimulatedCredentials(
  { credentialsOf }: Administration,
  { modelsUrl, secretKey }: { readonly modelsUrl: string; readonly secretKey: SecretKey },
): Promise<void> {
  const operator = credentialsOf(null);
  const { credentials } = await operator.list();
  for (const provider of SEEDED) {
    const baseUrl = `${modelsUrl}${PATHS[provider]}`;
    const found = credentials.find((credential) => credential.name === nameFor(provider));
    if (found) {
      const opened = await operator.open(found.id, secretKey);
      // Sealed with a secret key that is lost, or from a start with another port.
      if (opened?.kind === 'opened' && found.baseUrl === baseUrl) continue;
      await operator.remove(found.id);
    }
    await operator.create({ provider, name: nameFor(provider), apiKey: KEY, baseUrl, region: null, secretKey });
  }
}

/** An agent of the demo that simulated models conduct: a file of the demo, and the id that an earlier start kept. */
export interface ConductedDemo {
  readonly file: 'model-agent.json' | 'cascade-agent.json';
  readonly knownId: string | undefined;
}

/** Finds the agent or creates it. The user's changes stay, except for the port of the demo's tool. */
export async function ensureConductedAgent(
  { agents }: Administration,
  accountId: AccountId,
  { file, knownId, modelsUrl }: ConductedDemo & { readonly modelsUrl: string },
): Promise<AgentRecord> {
  const text = await readFile(new URL(file, DEMO_DIR), 'utf8');
  const settings = withToolAt(parseAgentSettings(text, `demo/${file}`), modelsUrl);
  const own = (await agents.list(accountId)).filter((agent) => agent.accountId === accountId);
  const found = own.find(({ id }) => id === knownId) ?? own.find((agent) => nameOf(agent) === settings.name);
  if (!found) return agents.create({ accountId, settings });
  if (found.settings.kind !== 'usable') return found;
  const current = found.settings.settings;
  const moved = withToolAt(current, modelsUrl);
  if (moved === current) return found;
  return agents.update({ agentId: found.id, settings: moved });
}

const nameOf = ({ settings }: AgentRecord) => (settings.kind === 'usable' ? settings.settings.name : undefined);

/** The same settings, with the demo's tool at this address. The same object if it is there already. */
function withToolAt(settings: AgentSettings, modelsUrl: string): AgentSettings {
  if (settings.driver === 'scripted') return settings;
  const url = `${modelsUrl}${TOOL_PATH}`;
  const isElsewhere = (tool: (typeof settings.tools)[number]) =>
    tool.type === 'http' && tool.url !== url && isDemoTool(tool.url);
  if (!settings.tools.some(isElsewhere)) return settings;
  return { ...settings, tools: settings.tools.map((tool) => (isElsewhere(tool) ? { ...tool, url } : tool)) };
}

function isDemoTool(text: string): boolean {
  const { hostname, pathname } = new URL(text);
  return hostname === '127.0.0.1' && pathname === TOOL_PATH;
}
