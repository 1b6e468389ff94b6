import { systemClock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { createExposition } from './exposition.ts';
import { createReadingSuccess } from './reading-success.ts';
import { measureWebhooks, type WebhookBacklog } from './webhook-metrics.ts';

async function exposed(read: () => Promise<WebhookBacklog>): Promise<string> {
  const exposition = createExposition();
  measureWebhooks(exposition, createReadingSuccess(exposition), { read, clock: systemClock });
  return exposition.expose();
}

test('the webhooks that wait are shown with the age of the oldest', async () => {
  const text = await exposed(async () => ({ pending: 7, oldestDueSeconds: 1.5, disabled: 2 }));
  expect(text).toContain('outdial_webhook_pending 7\n');
  expect(text).toContain('outdial_webhook_oldest_due_seconds 1.5\n');
  expect(text).toContain('outdial_webhook_endpoints_disabled 2\n');
});

test('while Postgres is away no webhooks are shown, and the reading has failed', async () => {
  const text = await exposed(() => Promise.reject(new Error('away')));
  expect(text).not.toMatch(/^outdial_webhook_\w+ /m);
  expect(text).toContain('outdial_reading_success{reading="webhooks"} 0');
});
