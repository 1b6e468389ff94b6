/** What the reference of the documentation is generated from. The service itself does not import this file. */
import { apiEnv } from './config.ts';
import { statusOf } from './http/error-response.ts';
import { describeApi } from './reference/document.ts';
import { createCallContract } from './routes/create-call/contract.ts';
import { endCallContract } from './routes/end-call/contract.ts';
import { getAccountContract } from './routes/get-account/contract.ts';
import { getCallContract } from './routes/get-call/contract.ts';
import { getRecordingContract } from './routes/get-recording/contract.ts';
import { listCallsContract } from './routes/list-calls/contract.ts';
import { listEventsContract } from './routes/list-events/contract.ts';
import { updateCallContract } from './routes/update-call/contract.ts';

export { apiEnv, statusOf };

/** The OpenAPI document, as the API serves it. A test compares the two. */
export const apiDocument = describeApi([
  createCallContract,
  getCallContract,
  listCallsContract,
  endCallContract,
  updateCallContract,
  listEventsContract,
  getRecordingContract,
  getAccountContract,
]);
