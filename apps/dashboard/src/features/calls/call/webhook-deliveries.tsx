import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { webhookMessageIdSchema, type CallDeliveryBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { LinkText } from '../../../shared/components/links.tsx';
import { StateBadge } from '../../webhooks/state-badge.tsx';
import { DELIVERY_WORDS, errorWords } from '../../webhooks/webhook-words.ts';
import type { CallKey } from '../queries/call-query.ts';
import { callDeliveriesQuery } from '../queries/call-deliveries.ts';

/** What was reported about the call, to which endpoint, and what came of it. Nothing for a call without webhooks. */
export function WebhookDeliveries({ id }: { readonly id: CallKey }) {
  const { data = [] } = useQuery(callDeliveriesQuery(id));
  if (data.length === 0) return null;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="webhooks">
      <Title order={2} size="h4" id="webhooks" mb="md">
        Webhooks
      </Title>
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.map((delivery) => (
          <Delivery
            key={`${delivery.message_id} ${delivery.endpoint_id}`}
            accountId={id.accountId}
            delivery={delivery}
          />
        ))}
      </Stack>
    </Paper>
  );
}

interface DeliveryProps {
  readonly accountId: string;
  readonly delivery: CallDeliveryBody;
}

function Delivery({ accountId, delivery }: DeliveryProps) {
  const { state, type, url, attempt_count: attempts, last_error: error, last_status: status } = delivery;
  return (
    <Stack gap={2} component="li">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550}>
          {type}
        </Text>
        <StateBadge words={DELIVERY_WORDS[state]} />
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {url ?? 'Deleted endpoint'}
      </Text>
      <Group gap="sm">
        <Text size="sm">
          {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {error !== null && `. ${errorWords(error, status)}`}
        </Text>
        {delivery.has_endpoint && <DeliveryLink accountId={accountId} delivery={delivery} />}
      </Group>
    </Stack>
  );
}

function DeliveryLink({ accountId, delivery }: DeliveryProps) {
  const { endpoint_id: endpointId, message_id: messageId, type } = delivery;
  return (
    <LinkText
      to="/accounts/$accountId/webhooks/$endpointId"
      params={{ accountId, endpointId }}
      search={{ message: webhookMessageIdSchema.parse(messageId) }}
      size="sm"
      aria-label={`View delivery of ${type}`}
    >
      View delivery
    </LinkText>
  );
}
