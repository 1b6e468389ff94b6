import { requiredVariables, type AccountId, type AgentBody, type AgentSummaryBody } from '@outdial/contracts';
import type { AgentRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

/** What an account is shown of an agent: of a granted one not the settings, which are its owner's. */
export function presentAgent(record: AgentRecord, accountId: AccountId): AgentBody {
  const owned = record.accountId === accountId;
  const common = { id: record.id, version: record.version, owned, created_at: timestamp(record.createdAtMs) };
  if (record.settings.kind === 'unusable') {
    // Its name is in what cannot be read.
    return { ...common, name: record.id, settings: null, problem: record.settings.problem, required_variables: [] };
  }
  const { settings } = record.settings;
  return {
    ...common,
    name: settings.name,
    settings: owned ? settings : null,
    problem: null,
    required_variables: [...requiredVariables(settings)],
  };
}

/** The same in a list, where its texts are left out. */
export function presentAgentSummary(record: AgentRecord, accountId: AccountId): AgentSummaryBody {
  const { settings, ...body } = presentAgent(record, accountId);
  return { ...body, voice: settings?.voice ?? null };
}
