import type { StoredSettings } from '@outdial/calls';
import {
  requiredVariables,
  type AccountId,
  type AgentBody,
  type AgentSummaryBody,
  type AgentVersionDetailBody,
} from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { AgentRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

/** An agent as an account sees it. The settings of a granted agent are visible to its owner only. */
export function presentAgent(record: AgentRecord, accountId: AccountId): AgentBody {
  const { settings } = presentSettings(record.settings);
  return {
    ...presentAgentSummary(record, accountId),
    settings: record.accountId === accountId ? settings : null,
  };
}

/** The same in a list, without its texts. */
export function presentAgentSummary(record: AgentRecord, accountId: AccountId): AgentSummaryBody {
  const { settings, problem } = presentSettings(record.settings);
  return {
    id: record.id,
    // The name is part of settings that may be unreadable.
    name: settings?.name ?? record.id,
    driver: settings?.driver ?? null,
    version: record.version,
    owned: record.accountId === accountId,
    problem,
    required_variables: settings === null ? [] : [...requiredVariables(settings)],
    created_at: timestamp(record.createdAtMs),
  };
}

export function presentSettings(stored: StoredSettings): Pick<AgentVersionDetailBody, 'settings' | 'problem'> {
  switch (stored.kind) {
    case 'usable':
      return { settings: stored.settings, problem: null };
    case 'unusable':
      return { settings: null, problem: stored.problem };
    default:
      return unreachable(stored);
  }
}
