import { IconPhonePlus } from '@tabler/icons-react';
import type { CallBody } from '@outdial/contracts';
import type { SuppressionCheck } from '../../../shared/account/suppressions.ts';
import { LinkButton } from '../../../shared/components/links.tsx';
import type { CallKey } from '../queries/call-query.ts';
import { EndCall } from './end-call.tsx';
import { NeverCallAgain } from './never-call-again.tsx';

export interface CallActionsProps {
  readonly id: CallKey;
  readonly call: CallBody;
  /** Null: not known yet whether the number is on a do-not-call list. */
  readonly check: SuppressionCheck | null;
}

/** The buttons beside the title of a call's page. */
export function CallActions({ id, call, check }: CallActionsProps) {
  const { accountId, callId } = id;
  return (
    <>
      <EndCall id={id} call={call} />
      <LinkButton
        to="/accounts/$accountId/calls/new"
        params={{ accountId }}
        search={{ again: callId }}
        variant="default"
        leftSection={<IconPhonePlus size={17} aria-hidden />}
      >
        Call again
      </LinkButton>
      <NeverCallAgain id={id} call={call} check={check} />
    </>
  );
}
