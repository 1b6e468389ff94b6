import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { CampaignBody } from '@outdial/contracts';
import { Figure } from '../../../shared/components/figure.tsx';
import { formatCount, formatRoundedMoney } from '../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../shared/format/times.ts';
import {
  answerRateWords,
  budgetWords,
  callsWord,
  donePercent,
  doneWords,
  finishWords,
  restWords,
} from '../words/progress-words.ts';
import { ProgressBar } from './progress-bar.tsx';

interface ProgressPanelProps {
  readonly campaign: CampaignBody;
  readonly currency: string | undefined;
}

/** How far the campaign is, and its figures. */
export function ProgressPanel({ campaign, currency }: ProgressPanelProps) {
  const { progress, name, state } = campaign;
  const finish = finishWords(campaign, formatDateTime);
  return (
    <Stack gap="md">
      <Paper withBorder radius="lg" p="lg" component="section" aria-label="Progress">
        <Text size="sm" c="dimmed">
          Done
        </Text>
        <Text className="tabular" fw={650} fz={28} lh={1.35}>
          {doneWords(progress)}
          {progress.contacts > 0 && ` · ${donePercent(progress)}%`}
        </Text>
        <ProgressBar name={name} progress={progress} size="lg" />
        <Text size="sm" c="dimmed" mt={6} className="tabular">
          {restWords(progress)}
        </Text>
      </Paper>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Figure
          label="Calls a minute"
          value={state === 'running' ? formatCount(progress.calls_last_minute) : '–'}
          hint="Ended in the last minute"
        />
        <Figure
          label="Answer rate"
          value={answerRateWords(progress)}
          hint={`${callsWord(progress.answered)} answered`}
        />
        <Figure
          label="Cost"
          value={currency === undefined ? '–' : formatRoundedMoney(progress.cost, currency)}
          hint={currency === undefined ? '' : budgetWords(campaign, currency)}
        />
        <Figure
          label={campaign.ended_at === null ? 'Estimated finish' : 'Ended'}
          value={finish.value}
          hint={finish.hint}
        />
      </SimpleGrid>
    </Stack>
  );
}
