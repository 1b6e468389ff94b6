import { Stack, Text } from '@mantine/core';
import type { CallingPolicySettings } from '@outdial/contracts';
import classes from './calling-hours.module.css';
import { WeekPicture } from '../../shared/week/week-picture.tsx';
import { policySentences } from './words/policy-words.ts';
import { todayOf } from './words/saved-words.ts';

interface PolicyRulesProps {
  readonly settings: CallingPolicySettings;
  /** The picture's name: whose hours it shows. */
  readonly label: string;
}

/** What a policy says, as sentences and as a picture of its week. */
export function PolicyRules({ settings, label }: PolicyRulesProps) {
  const everywhere = settings.windows['default'];
  return (
    <Stack gap="md">
      <ul className={classes['sentences']}>
        {policySentences(settings, todayOf(new Date())).map((sentence) => (
          <Text key={sentence} component="li" size="sm">
            {sentence}
          </Text>
        ))}
      </ul>
      {everywhere !== undefined && <WeekPicture week={everywhere} label={label} />}
    </Stack>
  );
}
