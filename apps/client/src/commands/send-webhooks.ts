import type { NewWebhookReplay, TestWebhookType } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';

export async function testEndpoint(
  context: CommandContext,
  endpointId: string,
  type: TestWebhookType,
): Promise<ExitCode> {
  const { webhookEndpoints } = await context.client();
  const message = await webhookEndpoints.test(endpointId, type, { signal: context.io.interrupted });
  const text = `Message ${message.id} will be sent. Run: outdial webhooks deliveries ${endpointId}\n`;
  context.print({ json: { message }, text });
  return EXIT.done;
}

export async function resendMessage(context: CommandContext, messageId: string, endpointId: string): Promise<ExitCode> {
  const { webhookMessages } = await context.client();
  const delivery = await webhookMessages.resend(messageId, endpointId, { signal: context.io.interrupted });
  const text = `Message ${delivery.message_id} will be sent again. Run: outdial webhooks deliveries ${endpointId}\n`;
  context.print({ json: { delivery }, text });
  return EXIT.done;
}

/** Begins a replay, which goes on by itself. */
export async function replayWebhooks(
  context: CommandContext,
  endpointId: string,
  body: NewWebhookReplay,
): Promise<ExitCode> {
  const { webhookEndpoints } = await context.client();
  const replay = await webhookEndpoints.replays.start(endpointId, body, { signal: context.io.interrupted });
  const text = `Replay ${replay.id} runs. Run: outdial webhooks deliveries ${endpointId}\n`;
  context.print({ json: { replay }, text });
  return EXIT.done;
}
