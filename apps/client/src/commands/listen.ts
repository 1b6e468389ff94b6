import { setTimeout as pause } from 'node:timers/promises';
import {
  isPassing,
  NotFoundError,
  type ListenerWebhook,
  type NewWebhookListener,
  type Outdial,
  type WebhookResult,
} from '@outdial/sdk';
import { CommandError, type ExitCode } from '../exit-code.ts';
import { plain } from '../terminal/plain.ts';
import type { CommandContext } from './command-context.ts';
import { forward } from './forward.ts';

export interface ListenOptions {
  readonly forwardTo: URL;
  /** Empty: all. */
  readonly events: NonNullable<NewWebhookListener['events']>;
}

type Listeners = Outdial['webhookListeners'];

/** From the receipt of a webhook. Half a minute after it has handed a message out, the service does so again. */
const REPORT_WITHIN_MS = 25_000;
const REPORT_AGAIN_MS = 1_000;
const END_WITHIN_MS = 2_000;

/** Forwards the webhooks of the account to a program on this machine, until it is interrupted. */
export async function listen(context: CommandContext, { forwardTo, events }: ListenOptions): Promise<ExitCode> {
  const { interrupted } = context.io;
  const { webhookListeners: listeners } = await context.client();
  const { listener, secret } = await listeners.create({ events: [...events] }, { signal: interrupted });
  const what = events.length === 0 ? 'All webhooks' : events.join(', ');
  const text = `${what} of your account go to ${forwardTo.href}\nSecret of their signatures: ${secret}\n`;
  context.print({ json: { listener, secret }, text });
  try {
    for await (const webhook of listeners.stream(listener.id, { signal: interrupted })) {
      // Those of one call come one after the other: the next one waits for the result.
      void pass(context, { listeners, listenerId: listener.id, forwardTo }, webhook);
    }
    throw new CommandError('The stream of webhooks has ended. Run the command again.');
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const why = 'The listener has ended, as it does two minutes after its last connection.';
    throw new CommandError(`${why} Run the command again: it will have another secret.`);
  } finally {
    // Otherwise it would count against the limit of the account for two minutes.
    await listeners.delete(listener.id, { signal: AbortSignal.timeout(END_WITHIN_MS) }).catch(() => undefined);
  }
}

interface Passing {
  readonly listeners: Listeners;
  readonly listenerId: string;
  readonly forwardTo: URL;
}

/** Forwards one webhook, prints what came of it, and reports it. Never rejects. */
async function pass(context: CommandContext, passing: Passing, webhook: ListenerWebhook): Promise<void> {
  const { interrupted, stderr } = context.io;
  const untilMs = performance.now() + REPORT_WITHIN_MS;
  try {
    const forwarded = await forward(passing.forwardTo, webhook, { signal: interrupted });
    const { message_id: messageId, attempt } = webhook;
    const result = { message_id: messageId, attempt, ...forwarded };
    context.print({ json: { forwarded: shortOf(webhook, result) }, text: lineOf(webhook, result) });
    await report(passing, result, { untilMs, signal: interrupted });
  } catch (error) {
    if (interrupted.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    stderr.write(`${plain(`The result of ${webhook.message_id} was not reported, so it comes again: ${why}`)}\n`);
  }
}

/** The API may restart at this moment. */
async function report(
  { listeners, listenerId }: Passing,
  result: WebhookResult,
  { untilMs, signal }: { readonly untilMs: number; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      return await listeners.report(listenerId, result, { signal });
    } catch (error) {
      if (!isPassing(error) || performance.now() >= untilMs) throw error;
    }
    await pause(REPORT_AGAIN_MS, undefined, { signal });
  }
}

function shortOf({ type, call_id: callId }: ListenerWebhook, result: WebhookResult) {
  const { message_id, attempt, status, error, duration_ms } = result;
  return { type, call_id: callId, message_id, attempt, status, error, duration_ms };
}

function lineOf(webhook: ListenerWebhook, { status, error, duration_ms: ms }: WebhookResult): string {
  const time = new Date().toISOString().slice(11, 19);
  const about = webhook.call_id ?? campaignOf(webhook) ?? '-';
  return `${time}  ${plain(`${webhook.type}  ${about}  ${status ?? error ?? '-'}  ${ms} ms`)}\n`;
}

/** The body of a webhook about a campaign names it. */
function campaignOf({ type, body }: ListenerWebhook): string | null {
  if (!type.startsWith('campaign.')) return null;
  const id = /"campaign":\{"id":"([0-9a-f-]{36})"/.exec(body)?.[1];
  return id ?? null;
}
