import { accountIdSchema, WEBHOOK_REPLAY_CHOICES, webhookEndpointIdSchema } from '@outdial/contracts';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';
import { instantText, wholeNumberText } from '../inputs.ts';
import type { Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';
import { deliveriesReport, endpointReport, endpointsReport, replayReport, sendingReport } from '../webhook-report.ts';

const ENDPOINT = [['<endpoint-id>', 'as `webhooks list` shows it']] as const;
const endpointInput = z.strictObject({ endpointId: webhookEndpointIdSchema });
const NO_INPUT = z.strictObject({});
const MAX_LISTED = 1_000;

export function addWebhookVerbs(program: Command, runVerb: RunVerb): void {
  const webhooks = createNoun(program, 'webhooks', 'Endpoints of accounts, and the switch that pauses all webhooks.');
  addLooks(webhooks, runVerb);
  addSwitches(webhooks, runVerb);
  addSending(webhooks, runVerb);
}

function addLooks(webhooks: Command, runVerb: RunVerb): void {
  addVerb(webhooks, runVerb, {
    name: 'list',
    summary: 'List the endpoints of an account or of all accounts, with their state.',
    flags: [['--account <id>', 'whose endpoints; without it, all']],
    examples: ['webhooks list', 'webhooks list --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema.optional() }),
    async run(session, { account }) {
      if (account !== undefined) await session.administration.accounts.show(account);
      return endpointsReport(await session.webhooks.list(account));
    },
  });
  addVerb(webhooks, runVerb, {
    name: 'show',
    summary: 'Show an endpoint.',
    arguments: ENDPOINT,
    examples: ['webhooks show <endpoint-id>'],
    changes: false,
    input: endpointInput,
    run: async (session, { endpointId }) => endpointReport(await session.webhooks.show(endpointId)),
  });
  addVerb(webhooks, runVerb, {
    name: 'deliveries',
    summary: 'List what was sent to an endpoint, or will be, newest first.',
    arguments: ENDPOINT,
    flags: [['--limit <number>', 'at most this many, 20 by default']],
    examples: ['webhooks deliveries <endpoint-id> --limit 100'],
    changes: false,
    input: endpointInput.extend({ limit: wholeNumberText({ min: 1, max: MAX_LISTED }).default(20) }),
    async run(session, { endpointId, limit }) {
      const { accountId } = await session.webhooks.show(endpointId);
      return deliveriesReport((await session.webhooksOf(accountId).deliveries({ endpointId, limit })).deliveries);
    },
  });
}

function addSwitches(webhooks: Command, runVerb: RunVerb): void {
  addVerb(webhooks, runVerb, {
    name: 'disable',
    summary: 'Disable an endpoint and drop what is pending. Its account cannot enable it again.',
    arguments: ENDPOINT,
    examples: ['webhooks disable <endpoint-id>'],
    changes: true,
    input: endpointInput,
    run: async (session, { endpointId }) => endpointReport(await session.webhooks.disable(endpointId)),
  });
  addVerb(webhooks, runVerb, {
    name: 'enable',
    summary: 'Enable an endpoint. It receives the events from then on.',
    arguments: ENDPOINT,
    examples: ['webhooks enable <endpoint-id>'],
    changes: true,
    input: endpointInput,
    async run(session, { endpointId }) {
      const endpoint = await session.webhooks.enable(endpointId);
      if (endpoint.state === 'enabled') return endpointReport(endpoint);
      throw new CliError('Much of what was pending is still to be dropped. Run the command again in a minute.');
    },
  });
  addVerb(webhooks, runVerb, {
    name: 'pause',
    summary: 'Stop sending webhooks on every worker within a second. They wait, and are sent after `resume`.',
    examples: ['webhooks pause'],
    changes: true,
    input: NO_INPUT,
    run: (session) => setPaused(session, true),
  });
  addVerb(webhooks, runVerb, {
    name: 'resume',
    summary: 'Send webhooks again, those that wait first.',
    examples: ['webhooks resume'],
    changes: true,
    input: NO_INPUT,
    run: (session) => setPaused(session, false),
  });
}

async function setPaused(session: AdminSession, paused: boolean): Promise<Report> {
  return sendingReport(await session.webhooks.setPaused(paused));
}

function addSending(webhooks: Command, runVerb: RunVerb): void {
  const { since, until } = { since: instantText, until: instantText.optional() };
  addVerb(webhooks, runVerb, {
    name: 'replay',
    summary: 'Send the events of a time to an endpoint again. It goes on in the background.',
    arguments: ENDPOINT,
    flags: [
      ['--since <time>', 'events from this time on, such as 2026-11-20T14:26:00Z'],
      ['--until <time>', 'events before this time; without it, until now'],
      ['--only <choice>', `${WEBHOOK_REPLAY_CHOICES.join(', ')}; failed_and_missing by default`],
    ],
    examples: ['webhooks replay <endpoint-id> --since 2026-11-20T14:26:00Z --only failed'],
    changes: true,
    input: endpointInput.extend({
      since,
      until,
      only: z
        .enum(WEBHOOK_REPLAY_CHOICES, `must be one of ${WEBHOOK_REPLAY_CHOICES.join(', ')}`)
        .default('failed_and_missing'),
    }),
    async run(session, { endpointId, since: sinceMs, until: untilMs, only }) {
      const { accountId } = await session.webhooks.show(endpointId);
      const outcome = await session.webhooksOf(accountId).createReplay({ endpointId, sinceMs, untilMs, only });
      if (outcome === null) throw new CliError('This is not a standing endpoint, and only those take replays.');
      if (outcome.kind === 'running') return replayReport(outcome.replay);
      throw new CliError(
        outcome.kind === 'disabled'
          ? 'The endpoint is disabled. Enable it first.'
          : 'A replay to this endpoint is under way. Wait for its end.',
      );
    },
  });
}
