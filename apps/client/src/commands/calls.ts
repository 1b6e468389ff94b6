import { open } from 'node:fs/promises';
import type { CallData, CallFilter } from '@outdial/sdk';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';
import { callTable, callText } from './show-call.ts';

export interface ListOptions {
  readonly filter: Pick<CallFilter, 'to_number' | 'campaign_id' | 'search' | 'status'>;
  /** How many at most. */
  readonly limit: number;
}

const LARGEST_PAGE = 100;

export async function listCalls(context: CommandContext, { filter, limit }: ListOptions): Promise<ExitCode> {
  const outdial = await context.client();
  const calls: CallData[] = [];
  const pages = outdial.calls.list(
    { ...filter, limit: Math.min(limit, LARGEST_PAGE) },
    { signal: context.io.interrupted },
  );
  for await (const call of pages) {
    calls.push(call);
    if (calls.length === limit) break;
  }
  context.print({ json: { calls }, text: callTable(calls) });
  return EXIT.done;
}

export async function getCall(context: CommandContext, callId: string): Promise<ExitCode> {
  const call = await (await context.client()).calls.get(callId, { signal: context.io.interrupted });
  context.print({ json: { call }, text: callText(call) });
  return EXIT.done;
}

export async function endCall(context: CommandContext, callId: string): Promise<ExitCode> {
  const call = await (await context.client()).calls.end(callId, { signal: context.io.interrupted });
  const text = call.status === 'ended' ? `Call ${call.id} has ended.\n` : `Call ${call.id} is ending.\n`;
  context.print({ json: { call }, text });
  return EXIT.done;
}

/** Writes the recording to a file that does not exist yet, or with `-` to stdout. */
export async function saveRecording(
  context: CommandContext,
  callId: string,
  output: string | undefined,
): Promise<ExitCode> {
  const outdial = await context.client();
  const sound = await outdial.calls.recording(callId, { signal: context.io.interrupted });
  if (output === '-') {
    for await (const chunk of sound) context.io.stdout.write(chunk);
    return EXIT.done;
  }
  const path = output ?? `${callId}.wav`;
  const file = await open(path, 'wx').catch((error: unknown) => {
    throw new CommandError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
  let bytes = 0;
  try {
    for await (const chunk of sound) {
      await file.write(chunk);
      bytes += chunk.length;
    }
  } finally {
    await file.close();
  }
  context.print({ json: { path, bytes }, text: `${path}: ${bytes} bytes\n` });
  return EXIT.done;
}
