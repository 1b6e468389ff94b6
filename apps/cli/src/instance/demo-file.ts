import { accountIdSchema, agentIdSchema, e164Schema } from '@outdial/contracts';
import { z } from 'zod';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/**
 * What a script needs to place calls with the demo account, and what a person needs to sign in. `base_url` includes
 * the version prefix. `agent_id` follows a script; simulated models conduct the two other agents. The password is missing once the user has changed it in the dashboard.
 */
export const demoSchema = z.strictObject({
  base_url: z.url(),
  api_key: z.string(),
  account_id: accountIdSchema,
  agent_id: agentIdSchema,
  model_agent_id: agentIdSchema,
  cascade_agent_id: agentIdSchema,
  from_number: e164Schema,
  dashboard_url: z.url(),
  email: z.string(),
  password: z.string().nullable(),
});
export type Demo = z.output<typeof demoSchema>;

/** Also accepts what earlier versions wrote. */
const storedDemoSchema = demoSchema.partial({
  model_agent_id: true,
  cascade_agent_id: true,
  dashboard_url: true,
  email: true,
  password: true,
});
export type StoredDemo = z.output<typeof storedDemoSchema>;

/** Undefined when the file is missing or invalid; in both cases the start writes it again. */
export async function readDemo(path: string): Promise<StoredDemo | undefined> {
  const text = await readPrivateFile(path);
  if (text === undefined) return undefined;
  try {
    return storedDemoSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export async function writeDemo(path: string, demo: Demo): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`);
}
