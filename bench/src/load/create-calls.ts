import autocannon from 'autocannon';

export interface CreateCallsOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
  readonly toNumber: string;
  readonly count: number;
  /** When they are due; without it they are dialed at once. */
  readonly scheduledFor?: Date;
}

const MAX_PASSES = 10;

/** Places that many calls through the API as fast as it accepts them, and retries where it asks for it. */
export async function createCalls(options: CreateCallsOptions): Promise<void> {
  let missing = options.count;
  for (let pass = 0; pass < MAX_PASSES && missing > 0; pass += 1) missing -= await createOnce(options, missing);
  if (missing > 0) throw new Error(`${missing} of ${options.count} calls were rejected`);
}

async function createOnce(options: CreateCallsOptions, amount: number): Promise<number> {
  const result = await autocannon({
    url: `${options.baseUrl}/api/v1/outbound/calls`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': options.apiKey },
    body: JSON.stringify({
      to_number: options.toNumber,
      agent_id: options.agentId,
      scheduled_for: options.scheduledFor?.toISOString(),
    }),
    connections: Math.min(32, amount),
    amount,
  });
  return result['2xx'];
}
