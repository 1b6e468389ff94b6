import type { TransferFailure } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';

/** What a model learns of a transfer that did not take place. */
export function transferFailureText({ reason, sipCode }: TransferFailure): string {
  return `The callee was not transferred and is still on the line: ${causeOf(reason, sipCode)}.`;
}

function causeOf(reason: TransferFailure['reason'], sipCode: number | null): string {
  switch (reason) {
    case 'failed':
      return causeOfCode(sipCode);
    case 'refused':
    case 'not_permitted':
      return 'the telephone network does not transfer this call, so do not try again';
    case 'unreported':
      return 'the destination did not answer in time';
    case 'destination_not_allowed':
    case 'suppressed':
      return 'this destination may not be called, so do not try it again';
    case 'too_many':
      return 'there were too many attempts, so do not try again';
    case 'no_funds':
      return 'a second call is not possible now, so do not try again';
    case 'no_capacity':
      return 'no line is free for a second call now';
    case 'hung_up':
      return 'the destination hung up before it was connected';
    case 'unavailable':
      return 'a transfer is not possible now';
    default:
      return unreachable(reason);
  }
}

const CAUSES: ReadonlyMap<number, string> = new Map([
  ...[486, 600].map((code) => [code, 'the destination is busy'] as const),
  ...[408, 480, 487].map((code) => [code, 'the destination did not answer'] as const),
  ...[403, 603].map((code) => [code, 'the destination declined the call'] as const),
  ...[404, 410, 484, 604].map(
    (code) => [code, 'the destination cannot be reached at its number, so do not try it again'] as const,
  ),
]);

const causeOfCode = (sipCode: number | null): string =>
  CAUSES.get(sipCode ?? 0) ?? 'the destination could not be reached';
