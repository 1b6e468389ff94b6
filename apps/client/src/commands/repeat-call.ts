import { ConnectionError, OutcomeUnknownError, ServerError, ServiceUnavailableError } from '@outdial/sdk';
import type { CommandContext } from './command-context.ts';

/** The options of `outdial call`. */
export interface CallOptions {
  readonly to: string;
  /** Its id or its name. */
  readonly agent: string;
  readonly from: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  readonly follow: boolean;
}

/** These answers of the API say that no call was placed. */
const NOT_PLACED: ReadonlySet<string> = new Set(['service_unavailable', 'no_trunk_available', 'request_timeout']);

/** Whether a request to place a call that failed so may have placed it. */
export function mayBePlaced(error: unknown, interrupted: AbortSignal): boolean {
  if (interrupted.aborted || error instanceof OutcomeUnknownError || error instanceof ConnectionError) return true;
  if (error instanceof ServiceUnavailableError) return !NOT_PLACED.has(error.code);
  return error instanceof ServerError;
}

/** The command that places the same call under the same key. */
export function commandOf(options: CallOptions, { profile }: Pick<CommandContext, 'profile'>): string {
  const { to, agent, from, variables, idempotencyKey, follow } = options;
  const args = [
    'outdial',
    'call',
    to,
    '--agent',
    agent,
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
    ...(from === undefined ? [] : ['--from', from]),
    ...(idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey]),
    ...(follow ? ['--follow'] : []),
    ...(profile === undefined ? [] : ['--profile', profile]),
  ];
  return args.map(quoted).join(' ');
}

/**
 * For a POSIX shell, which reads the exact argument: another value would be another call under the same key. Of control
 * characters only line breaks are printed as they are; others could move the cursor, and a tab asks a shell for suggestions.
 */
function quoted(arg: string): string {
  if (/^[\w+=:,./@-]+$/.test(arg)) return arg;
  const parts = arg.split(/((?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+)/u);
  return parts.map((part, index) => (index % 2 === 1 ? printed(part) : literal(part))).join('') || "''";
}

function literal(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Without a line break at its end, which a shell would drop. */
function printed(characters: string): string {
  const octal = Array.from(Buffer.from(characters), (byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${octal.join('')}')"`;
}
