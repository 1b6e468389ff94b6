import type { AccountRequestBody } from '@outdial/contracts';
import type { AccountRequestRecord } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';

export function presentRequest(request: AccountRequestRecord): AccountRequestBody {
  const { id, accountId, accountName, text, createdBy } = request;
  return {
    id,
    account: { id: accountId, name: accountName },
    text,
    created_by: createdBy,
    created_at: timestamp(request.createdAtMs),
    done_at: timestampOrNull(request.doneAtMs),
  };
}
