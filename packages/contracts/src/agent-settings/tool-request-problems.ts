import { SECRET_REFERENCE } from '../account-secrets.ts';
import type { InvalidParam } from '../errors.ts';
import type { McpSource } from './mcp-source.ts';
import type { HttpToolSettings } from './tools.ts';

/** The connection and the frame of a request belong to the product (RFC 9110 section 7.6.1, RFC 9112 section 6). */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The session and the frame of a message belong to the protocol (MCP 2025-11-25, streamable HTTP). */
const MCP_HEADERS: ReadonlySet<string> = new Set([
  ...OWN_HEADERS,
  'accept',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/** What is wrong with the request of a tool: texts that look as if something were filled in, and headers that are not its own. */
export function toolRequestProblems(at: string, tool: HttpToolSettings | McpSource): readonly InvalidParam[] {
  const own = tool.type === 'mcp' ? MCP_HEADERS : OWN_HEADERS;
  return [
    ...urlProblems(`${at}.url`, tool.url),
    ...Object.entries(tool.headers).flatMap(([name, value]) => {
      const param = `${at}.headers.${name}`;
      return own.has(name.toLowerCase()) ? [{ param, message: 'is set by the product' }] : valueProblems(param, value);
    }),
  ];
}

/** A URL is sent as it was checked: nothing is filled in, also not where braces are escaped. */
function urlProblems(param: string, url: string): readonly InvalidParam[] {
  if (!/\{\{|\}\}/.test(url.replaceAll(/%7b/gi, '{').replaceAll(/%7d/gi, '}'))) return [];
  return [
    { param, message: 'must not contain {{…}}: the model gives values as parameters, and secrets go into headers' },
  ];
}

function valueProblems(param: string, value: string): readonly InvalidParam[] {
  if (!/\{\{|\}\}/.test(value.replaceAll(SECRET_REFERENCE, ''))) return [];
  return [{ param, message: 'has an incomplete secret: write {{secret.NAME}}, with a name of A-Z, 0-9 and _' }];
}
