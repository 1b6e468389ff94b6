interface CurlInput {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Undefined: a shell variable stands for it. */
  readonly apiKey?: string;
}

/** Asks for the account: the smallest request that shows whether a key works. */
export function curlCommand({ baseUrl, apiKey }: CurlInput): string {
  return `curl ${baseUrl}/account \\\n  -H "X-API-Key: ${apiKey ?? '$KEY'}"`;
}

/** Places a call. Agent and number stand as shell variables. */
export function placeCallCommand({ baseUrl }: CurlInput): string {
  return [
    `curl ${baseUrl}/outbound/calls \\`,
    `  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d '{"to_number": "+12025550100", "agent_id": "'"$AGENT"'"}'`,
  ].join('\n');
}
