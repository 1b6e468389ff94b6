import { randomUUID } from 'node:crypto';
import { callIdSchema, type AgentSettings, type CallBody, type E164 } from '@outdial/contracts';
import type { AgentRecord } from '@outdial/persistence';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { createApiClient } from '../demo-call/api-client.ts';
import { followCall } from '../demo-call/follow-call.ts';
import { conversationLines, costLines } from '../demo-call/show-conversation.ts';
import type { StoredDemo } from '../instance/demo-file.ts';
import type { Report } from './report.ts';
import type { AdminSession } from './session.ts';

/**
 * Places a call of the demo account, which an agent on this credential conducts, and waits until it has ended. The agent
 * is the demo's, with this credential; the next call on the same credential uses it again.
 *
 * @throws CliError
 */
export async function callOnCredential(
  session: AdminSession,
  { name, to }: { readonly name: string; readonly to: E164 },
): Promise<Report> {
  const demo = await session.demo();
  await requireOpenAi(session, name);
  const agent = await agentOn(session, demo, name);
  const api = createApiClient({ baseUrl: demo.base_url, apiKey: demo.api_key, clock: session.clock });
  const request = { to_number: to, agent_id: agent.id, from_number: demo.from_number };
  const callId = callIdSchema.parse((await api.createCall(request, randomUUID())).id);
  for await (const _ of followCall(api, callId, session.clock, new AbortController().signal));
  const [call, events] = [await api.getCall(callId), await api.listEvents(callId)];
  return {
    json: { call: z.json().parse(call) },
    text: [outcomeLine(call), ...conversationLines(call, events), ...costLines(call)],
  };
}

async function requireOpenAi({ administration }: AdminSession, name: string): Promise<void> {
  const { credentials } = await administration.credentialsOf(null).list();
  const found = credentials.find((credential) => credential.name === name);
  if (!found) throw new CliError(`The operator has no credential ${name}. List the credentials to find its name.`);
  if (found.provider === 'openai') return;
  throw new CliError(`The demo's agent speaks through openai, and ${name} is a credential of ${found.provider}.`);
}

async function agentOn({ administration }: AdminSession, demo: StoredDemo, credential: string): Promise<AgentRecord> {
  const settings = settingsOn(await demoSettings(administration, demo), credential);
  const agents = await administration.agents.list(demo.account_id);
  const found = agents.find(
    ({ accountId, settings: stored }) =>
      accountId === demo.account_id && stored.kind === 'usable' && stored.settings.name === settings.name,
  );
  if (found) return administration.agents.update({ agentId: found.id, settings });
  return administration.agents.create({ accountId: demo.account_id, settings });
}

async function demoSettings(
  { agents }: AdminSession['administration'],
  { model_agent_id: id }: StoredDemo,
): Promise<AgentSettings & { readonly driver: 'realtime' }> {
  const stored = id === undefined ? undefined : (await agents.show(id)).settings;
  if (stored?.kind === 'usable' && stored.settings.driver === 'realtime') return stored.settings;
  throw new CliError(
    'The demo account has no agent with the driver realtime: start again, and `npm start` creates it.',
  );
}

function settingsOn<Settings extends AgentSettings & { readonly driver: 'realtime' }>(
  settings: Settings,
  credential: string,
): Settings {
  return { ...settings, name: `Appointment (${credential})`, model: { ...settings.model, credential } };
}

function outcomeLine({ id, ended_reason: reason, duration_seconds: seconds, cost, currency }: CallBody): string {
  return `Call ${id}: ${reason}, ${seconds} s, ${cost} ${currency}.`;
}
