import { Alert, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { LinkButton } from '../../../shared/components/links.tsx';
import { heldBackText } from './provider-words.ts';
import { providersQuery } from './queries.ts';

/** Names the credentials whose models hold calls of all accounts back. Nothing while there is none. */
export function ProviderNotice() {
  const { data } = useQuery(providersQuery);
  const text = data && heldBackText(data.credentials);
  if (!text) return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX aria-hidden />} title="Providers hold calls back">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        <LinkButton to="/operations/providers" size="xs" variant="default">
          View providers
        </LinkButton>
      </Stack>
    </Alert>
  );
}
