import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { callIdSchema, type AgentId, type CallId, type E164 } from '@outdial/contracts';
import { createFileRecordings } from '@outdial/recordings';
import type { DataFolder } from '../instance/data-folder.ts';
import type { Demo } from '../instance/demo-file.ts';
import type { ApiClient } from '../demo-call/api-client.ts';
import { followCall } from '../demo-call/follow-call.ts';
import { endLine, showMoves } from '../demo-call/show-call.ts';
import { conversationLines, costLines } from '../demo-call/show-conversation.ts';
import { callLine, recordingLine } from './show-result.ts';
import type { Output } from './start-input.ts';
import { recordingsDirOf } from './steps.ts';

/** Places a call through the API, as a user does, and shows its progress until it has ended or `stop` aborts. */
export async function placeCall(
  output: Output,
  input: {
    readonly api: ApiClient;
    readonly demo: Demo;
    readonly agentId: AgentId;
    readonly to: E164;
    readonly folder: DataFolder;
    readonly stop: AbortSignal;
  },
): Promise<void> {
  const { terminal, clock } = output;
  const { api, demo, agentId, to, folder, stop } = input;
  terminal.print();
  terminal.print(`  ${terminal.paint.strong('Calling')} ${to} from ${demo.from_number}`);
  terminal.print();
  const request = { to_number: to, agent_id: agentId, from_number: demo.from_number };
  const { id } = await api.createCall(request, randomUUID());
  const callId = callIdSchema.parse(id);
  await showMoves(output, followCall(api, callId, clock, stop));
  if (stop.aborted) return;
  const call = await api.getCall(callId);
  terminal.print(endLine(terminal, call));
  for (const line of conversationLines(call, await api.listEvents(callId))) terminal.print(line);
  for (const line of costLines(call)) terminal.print(line);
  terminal.print();
  terminal.print(callLine(demo, call));
  terminal.print(recordingLine(call, await recordingPath(callId, recordingsDirOf(folder))));
}

/** Null when the file is not there: the recording is in a bucket, or not written yet. */
async function recordingPath(callId: CallId, directory: string): Promise<string | null> {
  const recordings = createFileRecordings({ directory, onError: () => {} });
  const key = recordings.keyOf(callId);
  return (await recordings.open(key)) ? join(directory, key) : null;
}
