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
    case 'unavailable':
      return 'a transfer is not possible now';
    default:
      return unreachable(reason);
  }
}

function causeOfCode(sipCode: number | null): string {
  switch (sipCode) {
    case 486:
    case 600:
      return 'the destination is busy';
    case 408:
    case 480:
    case 487:
      return 'the destination did not answer';
    case 403:
    case 603:
      return 'the destination declined the call';
    case 404:
    case 410:
    case 484:
    case 604:
      return 'the destination cannot be reached at its number, so do not try it again';
    default:
      return 'the destination could not be reached';
  }
}
