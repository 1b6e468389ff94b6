import { Button, CloseButton, Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { FIRST_STEPS, type FirstStep } from '@outdial/contracts';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { LinkButton } from '../../shared/components/links.tsx';
import { useAccount } from '../../shared/session/account.ts';
import classes from './first-run.module.css';
import { firstRunQuery, useDismissFirstRun } from './queries.ts';

interface StepWords {
  readonly title: string;
  /** What the step is for and who does it. */
  readonly text: string;
  readonly action: string;
  readonly to:
    | '/accounts/$accountId/agents/new'
    | '/accounts/$accountId/numbers'
    | '/accounts/$accountId/wallet'
    | '/accounts/$accountId/api-keys'
    | '/accounts/$accountId/calls/new';
}

const STEPS: Readonly<Record<FirstStep, StepWords>> = {
  agent: {
    title: 'Create an agent',
    text: 'An agent conducts your calls, with models or by a script.',
    action: 'Create agent',
    to: '/accounts/$accountId/agents/new',
  },
  number: {
    title: 'Get a caller number',
    text: 'Your operator assigns numbers to this account or lets it use the system number.',
    action: 'View numbers',
    to: '/accounts/$accountId/numbers',
  },
  funds: {
    title: 'Add funds',
    text: 'Calls are paid from your wallet. Your operator tops it up.',
    action: 'View wallet',
    to: '/accounts/$accountId/wallet',
  },
  key: {
    title: 'Create an API key',
    text: 'Place calls from your own software. Only account owners can create keys.',
    action: 'View API keys',
    to: '/accounts/$accountId/api-keys',
  },
  call: {
    title: 'Place a call',
    text: 'Then listen to the recording and read the transcript.',
    action: 'Place a call',
    to: '/accounts/$accountId/calls/new',
  },
};

/** What a new account needs for its first call. Hidden once every step is done, or when the member dismisses it. */
export function FirstRun() {
  const { account_id: accountId } = useAccount();
  // An established account needs no checklist, so show none while it loads or if it fails to load.
  const { data } = useQuery(firstRunQuery(accountId));
  const dismiss = useDismissFirstRun(accountId);
  if (data === undefined || data.dismissed || Object.values(data.steps).every(Boolean)) return null;
  const next = FIRST_STEPS.find((step) => !data.steps[step]);
  const doneCount = FIRST_STEPS.filter((step) => data.steps[step]).length;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="first-run">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="md">
        <div>
          <Title order={2} size="h4" id="first-run">
            Your first call
          </Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {doneCount} of {FIRST_STEPS.length} steps completed
          </Text>
        </div>
        <CloseButton aria-label="Hide these steps" onClick={() => dismiss.mutate()} disabled={dismiss.isPending} />
      </Group>
      <ol className={classes['steps']}>
        {FIRST_STEPS.map((step) => (
          <Step key={step} accountId={accountId} step={step} isDone={data.steps[step]} isNext={step === next} />
        ))}
      </ol>
      {dismiss.isError && (
        <Group mt="md" gap="sm" role="alert">
          <Text size="sm" c="var(--mantine-color-error)">
            Could not hide the steps.
          </Text>
          <Button size="xs" variant="default" onClick={() => dismiss.mutate()}>
            Try again
          </Button>
        </Group>
      )}
    </Paper>
  );
}

interface StepProps {
  readonly accountId: string;
  readonly step: FirstStep;
  readonly isDone: boolean;
  /** The first open step: its button stands out. */
  readonly isNext: boolean;
}

function Step({ accountId, step, isDone, isNext }: StepProps) {
  const { title, text, action, to } = STEPS[step];
  const Mark = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li className={classes['step']} data-done={isDone}>
      <Mark size={20} className={classes['mark'] ?? ''} aria-hidden />
      <Group className={classes['text'] ?? ''} justify="space-between" gap="xs">
        <div>
          <Text size="sm" fw={550} {...(isDone ? { c: 'dimmed' } : {})}>
            {title}
            <VisuallyHidden>{isDone ? ', completed' : ', to do'}</VisuallyHidden>
          </Text>
          {!isDone && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {!isDone && (
          <LinkButton to={to} params={{ accountId }} size="xs" variant={isNext ? 'filled' : 'default'}>
            {action}
          </LinkButton>
        )}
      </Group>
    </li>
  );
}
