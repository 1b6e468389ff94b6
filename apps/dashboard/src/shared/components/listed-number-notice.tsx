import { Alert, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { readNumber } from '../forms/read-number.ts';
import type { SuppressionCheck } from '../account/suppressions.ts';
import { useAccount } from '../session/account.ts';
import { listedWords } from '../words/suppression.ts';
import { LinkText } from './links.tsx';

interface ListedNumberNoticeProps {
  /** Undefined or null: not known yet. */
  readonly check: SuppressionCheck | null | undefined;
  /** What to do on this page. */
  readonly advice?: string;
}

/** Says that a number is on a do-not-call list, whose list that is, and what to do. Nothing for other numbers. */
export function ListedNumberNotice({ check, advice }: ListedNumberNoticeProps) {
  const { account_id: accountId, isOwner } = useAccount();
  const words = check ? listedWords(check, isOwner) : null;
  if (!check || words === null) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconBan aria-hidden />} title={words.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {advice === undefined ? words.text : `${words.text} ${advice}`}
        </Text>
        {check.suppression !== null && (
          <LinkText
            to="/accounts/$accountId/do-not-call"
            params={{ accountId }}
            search={{ number: readNumber(check.number) ?? undefined }}
            size="sm"
            underline="always"
            // The color of links has too little contrast on the notice.
            c="var(--mantine-color-text)"
          >
            Open do-not-call list
          </LinkText>
        )}
      </Stack>
    </Alert>
  );
}
