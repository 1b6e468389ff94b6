import { Text } from '@mantine/core';
import type { AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { useHasHours } from '../../../shared/account/has-hours.ts';
import { formatDateTime } from '../../../shared/format/times.ts';
import { zoneWords } from '../../../shared/format/zone.ts';
import { useAccount } from '../../../shared/session/account.ts';
import { formatBudget } from './words/format-budget.ts';
import { campaignSentences } from './words/sentence.ts';

interface PlanTextProps {
  readonly settings: Pick<
    CampaignBody,
    'calls_per_second' | 'max_concurrent' | 'window' | 'retry' | 'budget' | 'starts_at' | 'ends_at'
  >;
  readonly agent: AgentSummaryBody;
  /** Null: not known before the file has come. */
  readonly contacts: number | null;
  readonly currency: string;
  readonly nowMs: number;
}

/** What a campaign will do, in sentences. Screen readers announce changes. */
export function PlanText({ settings, agent, contacts, currency, nowMs }: PlanTextProps) {
  const { account_id: accountId } = useAccount();
  const plan = {
    contacts,
    agent,
    callsPerSecond: settings.calls_per_second,
    maxConcurrent: settings.max_concurrent,
    window: settings.window,
    attempts: settings.retry?.max_attempts ?? 1,
    budget: settings.budget,
    startsAt: settings.starts_at,
    endsAt: settings.ends_at,
    hasCallingHours: useHasHours(accountId),
  };
  const formats = { money: (amount: number) => formatBudget(amount, currency), time: timeWords };
  return (
    <Text size="sm" aria-live="polite">
      {campaignSentences(plan, nowMs, formats).join(' ')}
    </Text>
  );
}

const timeWords = (iso: string) => `${formatDateTime(iso)} (${zoneWords(new Date(iso))})`;
