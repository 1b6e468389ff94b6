import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { invariant } from '@outdial/kernel';
import { z } from 'zod';

/** What a client speaks: the revision of 2025 with a handshake, or that of 2026 without. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

const refusalSchema = z.object({ error: z.object({ code: z.string(), message: z.string(), next: z.string() }) });

/** A client of `/mcp`, as programs around language models use it. */
export async function connectMcp(url: string, headers: Readonly<Record<string, string>>, era: Era) {
  const mode = era === '2025-11-25' ? 'legacy' : { pin: era };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  invariant(client.getNegotiatedProtocolVersion() === era, `the era is ${era}`);

  async function call(name: string, given: Record<string, unknown> = {}, options: CallOptions = {}) {
    return client.callTool({ name, arguments: given }, options);
  }

  return {
    client,
    call,
    /** The result of a tool that does not refuse, which the client has checked against the tool's schema. */
    async result(name: string, given?: Record<string, unknown>, options?: CallOptions) {
      const { structuredContent, isError, content } = await call(name, given, options);
      invariant(isError !== true, `the tool ${name} does not refuse: ${JSON.stringify(content)}`);
      return structuredContent;
    },
    async refusal(name: string, given?: Record<string, unknown>) {
      const { isError, content } = await call(name, given);
      const [first] = content;
      invariant(isError === true && first?.type === 'text', `the tool ${name} refuses`);
      return refusalSchema.parse(JSON.parse(first.text)).error;
    },
  };
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}
