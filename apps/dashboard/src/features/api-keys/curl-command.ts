/** Reads the account: the smallest request that shows that a key works. `baseUrl` has no trailing slash. */
export function curlCommand({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }): string {
  return `curl ${baseUrl}/account \\\n  -H "X-API-Key: ${apiKey}"`;
}

/** Places a call, with the key and agent as shell variables. */
export function placeCallCommand(baseUrl: string): string {
  return [
    `curl ${baseUrl}/outbound/calls \\`,
    `  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d '{"to_number": "+12025550100", "agent_id": "'"$AGENT"'"}'`,
  ].join('\n');
}
