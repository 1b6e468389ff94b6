import { accountIdSchema, agentIdSchema, e164Schema } from '@outdial/contracts';
import { z } from 'zod';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** What a script needs to place calls with the demo account. `base_url` includes the version prefix. */
export const demoSchema = z.strictObject({
  base_url: z.url(),
  api_key: z.string(),
  account_id: accountIdSchema,
  agent_id: agentIdSchema,
  from_number: e164Schema,
});
export type Demo = z.output<typeof demoSchema>;

/** Undefined where the file is missing or is not what was written: both are mended by writing it again. */
export async function readDemo(path: string): Promise<Demo | undefined> {
  const text = await readPrivateFile(path);
  if (text === undefined) return undefined;
  try {
    return demoSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export async function writeDemo(path: string, demo: Demo): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`);
}
