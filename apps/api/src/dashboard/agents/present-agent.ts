import { requiredVariables, type AccountId, type AgentBody, type AgentSummaryBody } from '@outdial/contracts';
import type { AgentRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

/** An agent as an account sees it. The settings of a granted agent are visible to its owner only. */
export function presentAgent(record: AgentRecord, accountId: AccountId): AgentBody {
  const owned = record.accountId === accountId;
  const common = { id: record.id, version: record.version, owned, created_at: timestamp(record.createdAtMs) };
  if (record.settings.kind === 'unusable') {
    // The name is part of settings that cannot be read.
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

/** The same in a list, without its texts. */
export function presentAgentSummary(record: AgentRecord, accountId: AccountId): AgentSummaryBody {
  const { settings, ...body } = presentAgent(record, accountId);
  return { ...body, voice: settings?.voice ?? null };
}
