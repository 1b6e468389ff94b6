import { SimpleGrid } from '@mantine/core';
import type { TotalsBody } from '@outdial/contracts';
import { Figure } from '../../shared/components/figure.tsx';
import { formatCount, formatRoundedMoney } from '../../shared/format/numbers.ts';
import { answerRate, averageSpan } from './sums.ts';

/** The time range in five figures. */
export function KeyFigures({ totals: { all, currency } }: { readonly totals: TotalsBody }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="md">
      <Figure label="Calls" value={formatCount(all.calls)} hint="ended in this period" isMain />
      <Figure label="Answer rate" value={answerRate(all)} hint={`${formatCount(all.answered)} answered`} />
      <Figure label="Cost" value={formatRoundedMoney(all.cost, currency)} hint="for these calls" />
      <Figure label="Wait time" value={averageSpan(all.waiting_seconds, all.calls)} hint="average before dialing" />
      <Figure
        label="Talk time"
        value={averageSpan(all.talking_seconds, all.answered)}
        hint="average per answered call"
      />
    </SimpleGrid>
  );
}
