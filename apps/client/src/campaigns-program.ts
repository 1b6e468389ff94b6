import { Option, type Command } from 'commander';
import { addCampaignOptions, campaignOptionsIn } from './campaign-options.ts';
import { saveErrors, saveResults, uploadContacts } from './commands/campaign-files.ts';
import {
  cancelCampaign,
  createCampaign,
  deleteCampaign,
  followCampaign,
  listCampaigns,
  listContacts,
  showCampaign,
  steerCampaign,
  updateCampaign,
} from './commands/campaigns.ts';
import { onAction, textOption, type Running } from './commands/command-context.ts';
import { CONTACT_OUTCOMES, isContactOutcome } from './contact-outcomes.ts';
import { countOf } from './count-of.ts';

const EXAMPLES = `
Examples:
  outdial campaigns create --name 'December reminders' --agent Reminder --calls-per-second 2 --retry 3
  outdial campaigns upload <id> people.csv && outdial campaigns start <id>
  outdial campaigns show <id> --follow
  outdial campaigns results <id> > results.csv`;

/** `outdial campaigns`. */
export function addCampaigns(running: Running, program: Command): void {
  const campaigns = program.command('campaigns').description('call many, at a pace').addHelpText('after', EXAMPLES);
  addCreate(running, campaigns);
  addUpdate(running, campaigns);
  const list = campaigns
    .command('list')
    .description('the campaigns of the account, newest first')
    .option('--limit <count>', 'how many at most', countOf, 20);
  onAction(running, list, (context, { options }) => listCampaigns(context, Number(options['limit'])));
  const show = one(campaigns, 'show', 'the settings of a campaign, and how far it is')
    .alias('status')
    .option('--follow', 'show how far it is, until it is over');
  onAction(running, show, (context, { positional: [id = ''], options }) =>
    options['follow'] === true ? followCampaign(context, id) : showCampaign(context, id),
  );
  addSteering(running, campaigns);
  addFiles(running, campaigns);
}

function one(campaigns: Command, name: string, description: string): Command {
  return campaigns.command(name).description(description).argument('<id>', 'the campaign');
}

function addCreate(running: Running, campaigns: Command): void {
  const create = campaigns
    .command('create')
    .description('create a draft, which dials no number before its start')
    .requiredOption('--name <text>', 'a name')
    .requiredOption('--agent <name>', 'the agent that conducts its calls, by its name or its id');
  addCampaignOptions(create);
  onAction(running, create, (context, { options }) => {
    const agent = textOption(options, 'agent') ?? '';
    return createCampaign(context, textOption(options, 'name') ?? '', { ...campaignOptionsIn(options), agent });
  });
}

function addUpdate(running: Running, campaigns: Command): void {
  const update = one(campaigns, 'update', 'change what is given; some settings only in a draft or a paused campaign')
    .option('--name <text>', 'a name')
    .option('--agent <name>', 'the agent, by its name or its id, in its current version');
  addCampaignOptions(update);
  onAction(running, update, (context, { positional: [id = ''], options }) =>
    updateCampaign(context, id, { ...campaignOptionsIn(options), name: textOption(options, 'name') }),
  );
}

const STEERING = [
  ['start', 'start a draft that has contacts'],
  ['pause', 'dial no more; open calls go on'],
  ['resume', 'go on where it was paused'],
] as const;

function addSteering(running: Running, campaigns: Command): void {
  for (const [verb, description] of STEERING) {
    const command = one(campaigns, verb, description);
    onAction(running, command, (context, { positional: [id = ''] }) => steerCampaign(context, id, verb));
  }
  const cancel = one(campaigns, 'cancel', 'end it for good; open calls go on').option('--hang-up', 'end them too');
  onAction(running, cancel, (context, { positional: [id = ''], options }) =>
    cancelCampaign(context, id, options['hangUp'] === true),
  );
  const remove = one(campaigns, 'delete', 'delete a draft, or one that is over, with its contacts; its calls stay');
  onAction(running, remove, (context, { positional: [id = ''] }) => deleteCampaign(context, id));
}

const ON_INVALID = ['skip', 'refuse'] as const;

function addFiles(running: Running, campaigns: Command): void {
  const upload = one(campaigns, 'upload', 'add the contacts of a CSV file; exits 1 if a line is no contact')
    .argument('<file>', 'the file, or - for stdin; at most 256 MiB')
    .addOption(
      new Option('--on-invalid <what>', 'if a line is no contact: add the others, or nothing')
        .choices(ON_INVALID)
        .default('skip'),
    );
  onAction(running, upload, (context, { positional: [id = '', file = ''], options }) =>
    uploadContacts(
      context,
      id,
      file,
      ON_INVALID.find((each) => each === options['onInvalid']),
    ),
  );
  const errors = one(
    campaigns,
    'errors',
    'write all lines of an upload that are no contact to stdout, as CSV',
  ).argument('<upload>', 'the number of the upload', countOf);
  onAction(running, errors, (context, { positional: [id = '', number = ''] }) =>
    saveErrors(context, id, Number(number)),
  );
  const contacts = one(campaigns, 'contacts', 'its contacts in the order in which they are called')
    .addOption(
      new Option('--outcome <outcome>', 'only those whose last call ended like this, or that will have none').choices(
        CONTACT_OUTCOMES,
      ),
    )
    .option('--limit <count>', 'how many at most', countOf, 20);
  onAction(running, contacts, (context, { positional: [id = ''], options }) => {
    const outcome = textOption(options, 'outcome');
    const filter = isContactOutcome(outcome) ? { outcome } : {};
    return listContacts(context, id, { filter, limit: Number(options['limit']) });
  });
  const results = one(campaigns, 'results', 'write every contact with its outcome to stdout, as CSV');
  onAction(running, results, (context, { positional: [id = ''] }) => saveResults(context, id));
}
