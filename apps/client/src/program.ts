import { Command, InvalidArgumentError } from 'commander';
import { addCall } from './call-program.ts';
import { addCampaigns } from './campaigns-program.ts';
import { showAccount, listAgents, listNumbers } from './commands/account.ts';
import { endCall, getCall, listCalls, saveRecording } from './commands/calls.ts';
import { onAction, textOption, type Running } from './commands/command-context.ts';
import { optOutCall } from './commands/suppressions.ts';
import { login } from './commands/login.ts';
import { countOf } from './count-of.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { addPolicy } from './policy-program.ts';
import { addSuppressions } from './suppressions-program.ts';
import { addListen, addWebhooks } from './webhooks-program.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 refused, 2 wrong command line, 3 the followed call was not answered, 130 interrupted.
OUTDIAL_API_KEY and OUTDIAL_BASE_URL win over a login, and --profile over both. A login’s key goes to the server of the login alone.
OUTDIAL_ALLOW_HTTP=true allows http:// to other machines.`;

/** The commands. `ended` receives how the one that ran has ended. */
export function createProgram(io: Io, ended: (code: ExitCode) => void): Command {
  const program = new Command('outdial')
    .description('Place and follow calls of an Outdial server.')
    .option('--json', 'print JSON, one document a line')
    .option('--profile <name>', 'use another login')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    });
  const running = { io, ended };
  addLogin(running, program);
  addCall(running, program);
  addCalls(running, program);
  addCampaigns(running, program);
  addSuppressions(running, program);
  addPolicy(running, program);
  addWebhooks(running, program);
  addListen(running, program);
  addLists(running, program);
  return program;
}

function addLogin(running: Running, program: Command): void {
  const command = program
    .command('login')
    .description('store a server’s address and an API key; asks for the key, or reads it from stdin')
    .option('--url <address>', 'the address of the server');
  onAction(running, command, (context, { options }) => login(context, { url: textOption(options, 'url') }));
}

const STATUSES = ['scheduled', 'queued', 'dialing', 'ringing', 'in_progress', 'ended'] as const;

function addCalls(running: Running, program: Command): void {
  const calls = program.command('calls').description('list, show and end calls');
  const list = calls
    .command('list')
    .description('the calls of the account, newest first')
    .option('--status <status>', `only calls in this state: ${STATUSES.join(', ')}`, statusOf)
    .option('--to <number>', 'only calls to this number')
    .option('--campaign <id>', 'only calls of this campaign')
    .option('--search <text>', 'only calls that match')
    .option('--limit <count>', 'how many at most', countOf, 20);
  onAction(running, list, (context, { options }) => {
    const [to, search] = [textOption(options, 'to'), textOption(options, 'search')];
    const campaign = textOption(options, 'campaign');
    const status = STATUSES.find((each) => each === options['status']);
    const filter = {
      ...(status === undefined ? {} : { status }),
      ...(to === undefined ? {} : { to_number: to }),
      ...(campaign === undefined ? {} : { campaign_id: campaign }),
      ...(search === undefined ? {} : { search }),
    };
    return listCalls(context, { filter, limit: Number(options['limit']) });
  });
  const one = (name: string, description: string) =>
    calls.command(name).description(description).argument('<id>', 'the call');
  const show = one('get', 'show a call with its transcript');
  onAction(running, show, (context, { positional: [id = ''] }) => getCall(context, id));
  const end = one('end', 'hang up, or cancel a call that was not dialed');
  onAction(running, end, (context, { positional: [id = ''] }) => endCall(context, id));
  const optOut = one('opt-out', 'put the callee on the do-not-call list; the call goes on').option(
    '--reason <text>',
    'what the callee said',
  );
  onAction(running, optOut, (context, { positional: [id = ''], options }) =>
    optOutCall(context, id, textOption(options, 'reason')),
  );
  const recording = one('recording', 'download the recording as WAV').option(
    '--output <file>',
    'a new file, or - for stdout; default: <id>.wav',
  );
  onAction(running, recording, (context, { positional: [id = ''], options }) =>
    saveRecording(context, id, textOption(options, 'output')),
  );
}

function addLists(running: Running, program: Command): void {
  const agents = program.command('agents').description('agents that the account may use');
  onAction(running, agents.command('list').description('all of them'), listAgents);
  const numbers = program.command('numbers').description('numbers that calls may come from');
  onAction(running, numbers.command('list').description('all of them'), listNumbers);
  const mcp = program.command('mcp').description('offer calls as tools to the language model that runs this command');
  // Loading it takes as long as all other commands.
  onAction(running, mcp, async (context) => (await import('./commands/mcp.ts')).serveMcp(context));
  onAction(running, program.command('account').description('the balance and the free slots'), showAccount);
}

function statusOf(text: string): string {
  if (STATUSES.some((each) => each === text)) return text;
  throw new InvalidArgumentError(`It must be one of: ${STATUSES.join(', ')}.`);
}
