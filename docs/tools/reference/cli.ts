import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProgram } from '@outdial/cli/documentation';

const run = promisify(execFile);
const START = fileURLToPath(new URL('../../../apps/cli/src/start/main.ts', import.meta.url));

type Command = ReturnType<typeof createProgram>;

/** The help of every command, as the command itself prints it. */
export async function cliPage(): Promise<string> {
  const printed: string[] = [];
  const program = createProgram({ out: (text) => printed.push(text), err: (text) => printed.push(text) }, () => {
    throw new Error('no command runs here');
  });
  const helpOf = (command: typeof program) => {
    // The same on every terminal.
    command.configureOutput({ getOutHelpWidth: () => 80 });
    command.outputHelp();
    return fence(printed.splice(0).join(''));
  };
  const nouns = program.commands.flatMap((noun) => [
    `## ${noun.name()}`,
    sentence(noun.description()),
    ...verbsOf(noun, noun.name()).flatMap(([name, verb]) => [`### ${name}`, helpOf(verb)]),
  ]);
  const start = await run(process.execPath, ['--conditions=@outdial/source', '--import=tsx', START, '--help'], {
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '80' },
  });
  return [
    '# Command line',
    '`npm start` runs the product on this machine. `npm run admin -- <noun> <verb>` administers it. Every command prints its own help with `--help`.',
    '## npm start',
    fence(start.stdout),
    '## npm run admin',
    helpOf(program),
    ...nouns,
  ].join('\n\n');
}

/** A noun may have nouns below it, such as `policy floor`. */
function verbsOf(noun: Command, path: string): (readonly [name: string, verb: Command])[] {
  return noun.commands.flatMap((command) => {
    const name = `${path} ${command.name()}`;
    return command.commands.length === 0 ? [[name, command] as const] : verbsOf(command, name);
  });
}

function fence(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
