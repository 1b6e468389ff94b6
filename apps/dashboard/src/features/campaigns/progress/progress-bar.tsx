import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.css';
import type { CampaignProgress } from '@outdial/contracts';
import { donePercent, doneWords } from '../words/progress-words.ts';

interface ProgressBarProps {
  readonly name: string;
  readonly progress: Pick<CampaignProgress, 'contacts' | 'done'>;
  readonly size?: 'sm' | 'lg';
}

/** How many of the contacts are done. */
export function ProgressBar({ name, progress, size = 'sm' }: ProgressBarProps) {
  return (
    <Progress.Root size={size} radius="xl">
      <Progress.Section
        value={donePercent(progress)}
        aria-label={`${name}: ${doneWords(progress)}`}
        aria-valuetext={doneWords(progress)}
      />
    </Progress.Root>
  );
}
