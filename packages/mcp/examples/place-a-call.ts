/**
 * What a program around a language model does, without the model: it connects to `/mcp`, places a call and waits for its
 * end.
 *
 *     OUTDIAL_API_KEY=… node place-a-call.ts https://calls.example.com +12025550100 Reminder name=Ada
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';

const waitedSchema = z.object({
  timed_out: z.boolean(),
  call: z.object({
    ended_reason: z.string().nullable(),
    transcript: z.array(z.object({ role: z.string(), text: z.string().nullable() })).nullable(),
  }),
});

const [url = '', to = '', agent = '', ...variables] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${process.env['OUTDIAL_API_KEY'] ?? ''}` };
const client = new Client({ name: 'place-a-call', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));

const { id } = z.object({ id: z.string() }).parse(
  await resultOf('place_call', {
    to_number: to,
    agent,
    variables: Object.fromEntries(variables.map((each) => each.split('=', 2))),
    // Today's reminder to this number: a second run returns the same call.
    idempotency_key: `reminder ${to} ${new Date().toISOString().slice(0, 10)}`,
  }),
);
say(`Call ${id}`);
for (;;) {
  const { timed_out, call } = waitedSchema.parse(await resultOf('wait_for_call', { call_id: id }));
  if (timed_out) continue;
  say(`ended: ${call.ended_reason}`);
  for (const { role, text } of call.transcript ?? []) say(`${role}: ${text ?? '(not transcribed)'}`);
  break;
}
await client.close();

async function resultOf(name: string, given: Record<string, unknown>): Promise<unknown> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
  if (isError === true) throw new Error(`${name} refuses: ${JSON.stringify(content)}`);
  return structuredContent;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
