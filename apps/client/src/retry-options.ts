import { RETRY_REASONS } from '@outdial/sdk';
import { InvalidArgumentError, type Command } from 'commander';
import type { AskedRetry } from './commands/repeat-call.ts';
import { CommandError, EXIT } from './exit-code.ts';

/** When a call is followed by another one to the same number. */
export function addRetryOptions(command: Command): void {
  command
    .option('--retry <attempts>', 'call again up to so many calls in all, 2 to 10', attemptsOf)
    .option('--retry-on <reasons>', 'after these ends; default: busy,no_answer,carrier_unavailable', reasonsOf)
    .option('--retry-after <seconds>', 'after so many seconds, by attempt; default: 900,3600,14400', secondsOf);
}

/** @throws CommandError if it is said when to call again, and not how often */
export function retryIn(options: Readonly<Record<string, unknown>>): AskedRetry | undefined {
  const { retry, retryOn, retryAfter } = options;
  if (typeof retry === 'number') {
    return {
      max_attempts: retry,
      ...(Array.isArray(retryOn) ? { on: RETRY_REASONS.filter((each) => retryOn.includes(each)) } : {}),
      ...(Array.isArray(retryAfter) ? { after_seconds: retryAfter.map(Number) } : {}),
    };
  }
  if (retryOn === undefined && retryAfter === undefined) return undefined;
  throw new CommandError('--retry-on and --retry-after need --retry <attempts>.', EXIT.usage);
}

function attemptsOf(text: string): number {
  if (/^(?:[2-9]|10)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 2 to 10.');
}

function reasonsOf(text: string): readonly string[] {
  const reasons = text.split(',');
  if (reasons.every((reason) => RETRY_REASONS.some((each) => each === reason))) return reasons;
  throw new InvalidArgumentError(`It must be some of these, with commas between: ${RETRY_REASONS.join(', ')}.`);
}

function secondsOf(text: string): readonly number[] {
  if (/^\d{1,6}(?:,\d{1,6})*$/.test(text)) return text.split(',').map(Number);
  throw new InvalidArgumentError('It must be whole numbers of seconds, with commas between.');
}
