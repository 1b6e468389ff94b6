import { destinationProblem, type CampaignRecord } from '@outdial/calls';
import { ContactFileRefused, readContacts, type ContactFileInput } from '@outdial/contact-files';
import { CAMPAIGN_LIMITS, type CampaignId } from '@outdial/contracts';
import type { AddBatchOutcome, OwnUploads, Upload } from '@outdial/persistence';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { RequestAborted } from '../../http/json-body.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { uploadTurns, type UploadTurn, type UploadTurnsDeps } from '../../http/upload-turns.ts';
import { campaignOf, type CampaignDeps } from './handlers.ts';
import { presentUpload } from './present-upload.ts';
import { campaignRefusal, planRefusal } from './refusals.ts';
import { accessEnded, linesRefused, oneAtATime, uploadGivenUp, uploadLost } from './upload-refusals.ts';

export interface ReceiveContactsDeps extends CampaignDeps, UploadTurnsDeps {}

export interface ContactsFile {
  readonly campaignId: CampaignId;
  readonly fileName: string | null;
  /** One line that is no contact, and the file is refused. */
  readonly refuseInvalid: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const FIRST_ERRORS = 100;

/** Takes files of contacts while they arrive. An account sends one at a time. */
export function createReceiveContacts(deps: ReceiveContactsDeps) {
  /** The campaign of the file that this process takes, of each account. */
  const receiving = new Map<string, CampaignId>();

  return async (principal: AccountPrincipal, file: ContactsFile) => {
    const { id: accountId } = principal.account;
    const other = receiving.get(accountId);
    if (other === file.campaignId) throw campaignRefusal({ kind: 'upload_in_progress' });
    if (other !== undefined) throw oneAtATime();
    receiving.set(accountId, file.campaignId);
    try {
      const { campaigns, uploads } = ownAccountOf(deps, principal);
      const input = await inputOf(deps, principal, await campaignOf(campaigns, file.campaignId));
      const inTurn = uploadTurns(deps, principal, () => accessEnded(principal));
      const upload = await begin(uploads, inTurn, file);
      await receive(upload, inTurn, file, input);
      return await presentUpload(uploads, file.campaignId, upload.number, FIRST_ERRORS);
    } finally {
      receiving.delete(accountId);
    }
  };
}

/** @throws ApiError if the agent of the campaign cannot be used */
async function inputOf(
  { contactDirectory }: CampaignDeps,
  { account }: AccountPrincipal,
  { agentId, columns, defaultCountry }: CampaignRecord,
): Promise<ContactFileInput> {
  const agent = await contactDirectory.findAgent(account.id, agentId);
  if (agent === null) throw planRefusal({ kind: 'agent_access_denied' });
  const deck = await contactDirectory.rateDeck(account.currency);
  return {
    columns,
    defaultCountry,
    variables: agent.requiredVariables ?? [],
    destinationProblem: (number) => destinationProblem({ account, deck }, number),
  };
}

/** Removes first what a failed upload has left. @throws ApiError */
async function begin(uploads: OwnUploads, inTurn: UploadTurn, { campaignId, fileName }: ContactsFile): Promise<Upload> {
  for (;;) {
    const begun = await uploads.begin(campaignId, { fileName });
    if (begun.kind === 'begun') return begun.upload;
    if (begun.kind !== 'removing') throw campaignRefusal(begun);
    if (!(await inTurn(() => uploads.removeSome(campaignId)))) throw campaignRefusal({ kind: 'upload_in_progress' });
  }
}

/** @throws ApiError; the upload has failed then */
async function receive(
  upload: Upload,
  inTurn: UploadTurn,
  { chunks, refuseInvalid }: ContactsFile,
  input: ContactFileInput,
): Promise<void> {
  // What Postgres has at the moment, while the next batch is read.
  let adding = Promise.resolve<AddBatchOutcome>('added');
  try {
    for await (const batch of readContacts(chunks, input)) {
      assertAdded(await adding);
      adding = inTurn(() => upload.add(batch));
      // It is awaited after the next batch, or once the file is refused.
      adding.catch(() => {});
    }
    assertAdded(await adding);
    const finished = await inTurn(() => upload.finish({ refuseInvalid }));
    if (finished.kind === 'campaign_state') throw campaignRefusal(finished);
    if (finished.kind === 'over') throw uploadGivenUp();
    if (finished.kind === 'lost') throw uploadLost();
    if (finished.kind === 'invalid') throw linesRefused(upload.number);
  } catch (error) {
    await adding.catch(() => {});
    // If the store is away, the sweep gives it up.
    await upload.fail(failureOf(error), { isUnanswered: error instanceof RequestAborted }).catch(() => {});
    throw error instanceof ContactFileRefused
      ? invalidRequest([{ param: error.param, message: error.problem }])
      : error;
  }
}

/** @throws ApiError if the upload has ended */
function assertAdded(outcome: AddBatchOutcome): void {
  if (outcome === 'too_many_contacts') throw campaignRefusal({ kind: outcome, limit: CAMPAIGN_LIMITS.contacts });
  if (outcome === 'over') throw uploadGivenUp();
  if (outcome === 'lost') throw uploadLost();
}

/** For the list of uploads. */
function failureOf(error: unknown): string {
  if (error instanceof ContactFileRefused) return `The file ${error.problem}.`;
  if (error instanceof RequestAborted) return 'The connection broke off.';
  return error instanceof ApiError ? error.publicMessage : 'The service could not take it.';
}
