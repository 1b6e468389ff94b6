import { Button, Code, Group, Modal, Stack, Text, Title } from '@mantine/core';
import type { WebhookMessageDetailBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime, RelativeTime } from '../../shared/components/time-text.tsx';
import { messageQuery, useResend } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { DELIVERY_WORDS, errorWords } from './webhook-words.ts';

interface MessageDialogProps {
  readonly accountId: string;
  readonly endpointId: string;
  /** Undefined: closed. */
  readonly messageId: string | undefined;
  readonly mayResend: boolean;
  readonly onClose: () => void;
}

/** A message with its body, its attempts at this endpoint, and their responses. */
export function MessageDialog({ messageId, onClose, ...props }: MessageDialogProps) {
  return (
    <Modal opened={messageId !== undefined} onClose={onClose} title="Message" size="xl">
      {messageId !== undefined && <Message messageId={messageId} {...props} />}
    </Modal>
  );
}

function Message(props: Omit<MessageDialogProps, 'onClose'> & { readonly messageId: string }) {
  const { accountId, endpointId, messageId, mayResend } = props;
  const message = useQuery(messageQuery(accountId, messageId));
  const resend = useResend(accountId, endpointId);
  const again = () => resend.mutate(messageId, { onSuccess: () => notifyDone('The message is sent once more.') });
  return (
    <Stack>
      {resend.isError && <ErrorNotice title="Could not send the message" error={resend.error} />}
      <Loaded query={message} what="the message" skeleton={<PanelSkeleton />}>
        {(details) => <Details accountId={accountId} endpointId={endpointId} details={details} />}
      </Loaded>
      {mayResend && (
        <Group justify="flex-end">
          <Button variant="default" onClick={again} loading={resend.isPending}>
            Send again
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface DetailsProps {
  readonly accountId: string;
  readonly endpointId: string;
  readonly details: WebhookMessageDetailBody;
}

function Details({ accountId, endpointId, details: { message, deliveries } }: DetailsProps) {
  const delivery = deliveries.find(({ endpoint_id: id }) => id === endpointId);
  return (
    <Stack>
      <Group gap="md">
        <Text fw={550}>{message.type}</Text>
        {delivery && <StateBadge words={DELIVERY_WORDS[delivery.state]} />}
        <Text size="sm">
          <DateTime at={message.occurred_at} />
        </Text>
        {delivery?.next_attempt_at !== null && delivery?.next_attempt_at !== undefined && (
          <Text size="sm">
            Next try: <RelativeTime at={delivery.next_attempt_at} />
          </Text>
        )}
        {message.call_id !== null && (
          <LinkText to="/accounts/$accountId/calls/$callId" params={{ accountId, callId: message.call_id }} size="sm">
            View call
          </LinkText>
        )}
      </Group>
      <Text size="sm">
        <Code>webhook-id: msg_{message.id}</Code>
      </Text>
      <Block title="Body" text={message.body === null ? 'Written at the first attempt.' : indented(message.body)} />
      <Title order={3} size="h5">
        Attempts
      </Title>
      {delivery === undefined || delivery.attempts.length === 0 ? (
        <Text size="sm">None yet.</Text>
      ) : (
        delivery.attempts.map((attempt) => <AttemptShown key={attempt.number} attempt={attempt} />)
      )}
    </Stack>
  );
}

type Attempt = WebhookMessageDetailBody['deliveries'][number]['attempts'][number];

function AttemptShown({ attempt }: { readonly attempt: Attempt }) {
  const { number, status, error } = attempt;
  const outcome = error === null ? `Receiver answered ${status}` : errorWords(error, status);
  return (
    <Stack gap={4}>
      <Text size="sm">
        {number}. {outcome} after {attempt.duration_ms} ms, <DateTime at={attempt.started_at} />
      </Text>
      {attempt.response_body !== null && attempt.response_body !== '' && (
        <Block title={`Response ${number}`} text={attempt.response_body} />
      )}
    </Stack>
  );
}

function Block({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Code
      block
      tabIndex={0}
      aria-label={title}
      style={{ maxHeight: 320, overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {text}
    </Code>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
