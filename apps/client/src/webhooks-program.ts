import { InvalidArgumentError, Option, type Command } from 'commander';
import { onAction, textOption, type Running } from './commands/command-context.ts';
import { listen } from './commands/listen.ts';
import { replayWebhooks, resendMessage, testEndpoint } from './commands/send-webhooks.ts';
import { createEndpoint, listDeliveries, listEndpoints } from './commands/webhooks.ts';
import { countOf } from './count-of.ts';

const CALL_TYPES = [
  'call.scheduled',
  'call.queued',
  'call.dialing',
  'call.ringing',
  'call.answered',
  'call.answered_by',
  'call.opted_out',
  'call.ended',
  'call.recording_ready',
  'call.analyzed',
] as const;
const CAMPAIGN_TYPES = [
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.cancelled',
] as const;
const EVENT_TYPES = [...CALL_TYPES, ...CAMPAIGN_TYPES] as const;
const TEST_TYPES = ['webhook.test', ...EVENT_TYPES] as const;
const TYPES = [...EVENT_TYPES, 'webhook.endpoint_disabled', 'webhook.test'] as const;
const STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
const ONLY = ['failed', 'missing', 'failed_and_missing', 'all'] as const;

/** The commands of webhooks. */
export function addWebhooks(running: Running, program: Command): void {
  const webhooks = program.command('webhooks').description('where webhooks are sent, and what was sent');
  onAction(running, webhooks.command('list').description('the endpoints of the account'), listEndpoints);
  addCreate(running, webhooks);
  addDeliveries(running, webhooks);
  addSending(running, webhooks);
}

const eventOption = (types: readonly string[], unlessGiven: string) =>
  new Option('--event <type...>', `only these types; default: ${unlessGiven}`).choices(types);

/** `outdial listen`. */
export function addListen(running: Running, program: Command): void {
  const command = program
    .command('listen')
    .description('forward the webhooks of the account to a program on this machine, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where it receives them, such as http://localhost:3001/hooks', receiverOf)
    .addOption(new Option('--events <type...>', 'only these types; default: all').choices(EVENT_TYPES));
  onAction(running, command, (context, { options }) => {
    const chosen: unknown = options['events'];
    const events = EVENT_TYPES.filter((type) => Array.isArray(chosen) && chosen.includes(type));
    return listen(context, { forwardTo: new URL(textOption(options, 'forwardTo') ?? ''), events });
  });
}

function receiverOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be a URL such as http://localhost:3001/hooks.');
}

function chosenOf<Type extends string>(types: readonly Type[], value: unknown): Type[] {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return types.filter((type) => chosen.includes(type));
}

function addCreate(running: Running, webhooks: Command): void {
  const create = webhooks
    .command('create')
    .description('add an endpoint; its secret is printed, this once')
    .argument('<url>', 'where webhooks are sent')
    .addOption(eventOption(TYPES, 'all'))
    .option('--description <text>', 'your own words');
  onAction(running, create, (context, { positional: [url = ''], options }) => {
    const events = chosenOf(TYPES, options['event']);
    return createEndpoint(context, { url, events, description: textOption(options, 'description') ?? '' });
  });
}

function addDeliveries(running: Running, webhooks: Command): void {
  const deliveries = webhooks
    .command('deliveries')
    .description('what was sent to an endpoint, or will be, newest first')
    .argument('<endpoint>', 'the id of the endpoint')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(STATES))
    .option('--limit <count>', 'how many at most', countOf, 20);
  onAction(running, deliveries, (context, { positional: [endpointId = ''], options }) => {
    const state = STATES.find((each) => each === options['state']);
    return listDeliveries(context, { endpointId, state, limit: Number(options['limit']) });
  });
}

function addSending(running: Running, webhooks: Command): void {
  const test = webhooks
    .command('test')
    .description('send an example to an endpoint')
    .argument('<endpoint>', 'the id of the endpoint')
    .addOption(new Option('--type <type>', 'the type of the example').choices(TEST_TYPES).default('webhook.test'));
  onAction(running, test, (context, { positional: [endpointId = ''], options }) => {
    const type = TEST_TYPES.find((each) => each === options['type']) ?? 'webhook.test';
    return testEndpoint(context, endpointId, type);
  });
  const resend = webhooks
    .command('resend')
    .description('send a message to an endpoint again')
    .argument('<message>', 'the id of the message')
    .requiredOption('--endpoint <id>', 'the endpoint');
  onAction(running, resend, (context, { positional: [messageId = ''], options }) =>
    resendMessage(context, messageId, textOption(options, 'endpoint') ?? ''),
  );
  const replay = webhooks
    .command('replay')
    .description('send the events of a period to an endpoint again')
    .argument('<endpoint>', 'the id of the endpoint')
    .requiredOption('--since <time>', 'from then on, such as 2026-12-04T10:00:00Z; at most 30 days ago')
    .option('--until <time>', 'before then; default: now')
    .addOption(eventOption(EVENT_TYPES, 'those that the endpoint receives'))
    .addOption(new Option('--only <which>', 'which events').choices(ONLY).default('failed_and_missing'));
  onAction(running, replay, (context, { positional: [endpointId = ''], options }) => {
    const until = textOption(options, 'until');
    const only = ONLY.find((each) => each === options['only']) ?? 'failed_and_missing';
    const time = { since: textOption(options, 'since') ?? '', ...(until === undefined ? {} : { until }) };
    return replayWebhooks(context, endpointId, { ...time, only, events: chosenOf(EVENT_TYPES, options['event']) });
  });
}
