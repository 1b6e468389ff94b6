/** What the reference of the documentation is generated from. The service itself does not import this file. */
import { apiEnv } from './config.ts';
import { statusOf } from './http/error-response.ts';
import { describeApi } from './reference/document.ts';
import {
  createAgentContract,
  getAgentContract,
  getAgentVersionContract,
  listAgentsContract,
  listAgentVersionsContract,
  updateAgentContract,
} from './routes/agents/contracts.ts';
import { createApiKeyContract, listApiKeysContract, revokeApiKeyContract } from './routes/api-keys/contracts.ts';
import * as credentials from './routes/credentials/contracts.ts';
import { campaignContracts } from './routes/campaigns/contracts.ts';
import { uploadContracts } from './routes/campaigns/upload-contracts.ts';
import { createCallContract } from './routes/create-call/contract.ts';
import { endCallContract } from './routes/end-call/contract.ts';
import { getAccountContract } from './routes/get-account/contract.ts';
import { getCallContract } from './routes/get-call/contract.ts';
import { instructCallContract } from './routes/instruct-call/contract.ts';
import { getRecordingContract } from './routes/get-recording/contract.ts';
import { listCallsContract } from './routes/list-calls/contract.ts';
import { listEventsContract } from './routes/list-events/contract.ts';
import { listLedgerContract } from './routes/list-ledger/contract.ts';
import { listModelsContract } from './routes/list-models/contract.ts';
import { listPhoneNumbersContract } from './routes/list-phone-numbers/contract.ts';
import { deleteSecretContract, listSecretsContract, setSecretContract } from './routes/secrets/contracts.ts';
import { optOutCallContract } from './routes/opt-out-call/contract.ts';
import * as callingPolicy from './routes/calling-policy/contracts.ts';
import * as suppressions from './routes/suppressions/contracts.ts';
import { importSuppressionsContract } from './routes/suppressions/import-contract.ts';
import * as evaluations from './routes/evaluations/contracts.ts';
import * as tries from './routes/tries/contracts.ts';
import { updateCallContract } from './routes/update-call/contract.ts';
import { webhookContracts } from './routes/webhooks/contracts.ts';

export { apiEnv, statusOf };

/** The OpenAPI document, as the API serves it. A test compares the two. */
export const apiDocument = describeApi([
  createCallContract,
  getCallContract,
  listCallsContract,
  endCallContract,
  updateCallContract,
  instructCallContract,
  optOutCallContract,
  listEventsContract,
  getRecordingContract,
  ...campaignContracts,
  ...uploadContracts,
  suppressions.createSuppressionsContract,
  suppressions.listSuppressionsContract,
  suppressions.checkSuppressionsContract,
  importSuppressionsContract,
  suppressions.deleteSuppressionContract,
  listAgentsContract,
  createAgentContract,
  getAgentContract,
  updateAgentContract,
  listAgentVersionsContract,
  getAgentVersionContract,
  listModelsContract,
  tries.createTryContract,
  tries.getTryContract,
  tries.sendTryMessageContract,
  tries.endTryContract,
  tries.followTryContract,
  evaluations.createEvaluationContract,
  evaluations.listEvaluationsContract,
  evaluations.getEvaluationContract,
  evaluations.cancelEvaluationContract,
  evaluations.getScenariosContract,
  evaluations.saveScenariosContract,
  getAccountContract,
  callingPolicy.getCallingPolicyContract,
  callingPolicy.updateCallingPolicyContract,
  callingPolicy.listPolicyVersionsContract,
  callingPolicy.checkCallingPolicyContract,
  listLedgerContract,
  listPhoneNumbersContract,
  listApiKeysContract,
  createApiKeyContract,
  revokeApiKeyContract,
  credentials.createCredentialContract,
  credentials.listCredentialsContract,
  credentials.updateCredentialContract,
  credentials.rotateCredentialContract,
  credentials.deleteCredentialContract,
  credentials.checkCredentialContract,
  listSecretsContract,
  setSecretContract,
  deleteSecretContract,
  ...webhookContracts,
]);
