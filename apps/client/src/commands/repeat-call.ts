import { ConnectionError, OutcomeUnknownError, ServerError, ServiceUnavailableError, type NewCall } from '@outdial/sdk';
import type { CommandContext } from './command-context.ts';

export type AskedRetry = NonNullable<NewCall['retry']>;

/** The options of `outdial call`. */
export interface CallOptions {
  readonly to: string;
  /** Its id or its name. */
  readonly agent: string;
  readonly from: string | undefined;
  /** Not before this time. */
  readonly at: string | undefined;
  readonly expiresAt: string | undefined;
  /** To wait while all slots are in use. */
  readonly queue: boolean;
  /** While the calling policy closes the callee's hours. */
  readonly onClosed: 'wait' | 'reject' | undefined;
  /** The callee's. */
  readonly zone: string | undefined;
  readonly retry: AskedRetry | undefined;
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
  const { to, agent, from, at, expiresAt, queue, onClosed, zone, retry, variables, idempotencyKey, follow } = options;
  const args = [
    'outdial',
    'call',
    to,
    '--agent',
    agent,
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
    ...argsOf('--from', from),
    ...argsOf('--at', at),
    ...argsOf('--expires-at', expiresAt),
    ...(queue ? ['--queue'] : []),
    ...argsOf('--on-closed', onClosed),
    ...argsOf('--zone', zone),
    ...argsOf('--retry', retry?.max_attempts.toString()),
    ...argsOf('--retry-on', retry?.on?.join(',')),
    ...argsOf('--retry-after', retry?.after_seconds?.join(',')),
    ...argsOf('--idempotency-key', idempotencyKey),
    ...(follow ? ['--follow'] : []),
    ...argsOf('--profile', profile),
  ];
  return args.map(quoted).join(' ');
}

function argsOf(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
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
