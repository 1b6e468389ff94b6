import type { AnalysisStore, OpenedCredential } from '@outdial/calls';
import { createEgressClient, egressEnv, type EgressClient } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChatServer, type ChatReply, type ChatServer } from '../test/chat-server.ts';
import { CALL_COST_MICROS, logger, openWorld, type World } from '../test/world.ts';
import { analyzeNext } from './analyze-next.ts';
import { createChatCompletions } from './chat-completions.ts';
import { ANALYSIS_TIMINGS, type AnalysisDeps } from './ports.ts';
import { createShares } from './shares.ts';

const FUNDS = 1_000_000_000n;
let world: World;
let server: ChatServer;
let egress: EgressClient;
let replies: ChatReply[] = [];
beforeAll(async () => {
  world = await openWorld();
  server = await startChatServer(() => replies.shift() ?? { status: 500, body: '{}' });
  egress = createEgressClient({ allowed: egressEnv.OUTDIAL_EGRESS_ALLOW.schema.parse('127.0.0.0/8'), proxy: null });
});
afterAll(async () => {
  await server.close();
  await egress.close();
  await world.close();
});

interface Answer {
  /** With the cached ones. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

interface Books {
  readonly isOwn: boolean;
  readonly input: number;
  /** Null: the deck has no price for cached input, which then costs as much as other input. */
  readonly cachedInput: number | null;
  readonly output: number;
  /** Tries in which the provider failed. */
  readonly failures: number;
  /** The first answer does not fit and is corrected. */
  readonly corrected: boolean;
  readonly answers: readonly [Answer, Answer];
  /** How often the answer of the statement that charges is lost. */
  readonly lost: number;
}

const price = fc.nat(20_000_000);
const answer: fc.Arbitrary<Answer> = fc
  .record({ fresh: fc.nat(50_000), cached: fc.nat(50_000), output: fc.nat(5_000) })
  .map(({ fresh, cached, output }) => ({ input: fresh + cached, cached, output }));
const books: fc.Arbitrary<Books> = fc.record({
  isOwn: fc.boolean(),
  input: price,
  cachedInput: fc.option(price),
  output: price,
  failures: fc.nat(2),
  corrected: fc.boolean(),
  answers: fc.tuple(answer, answer),
  lost: fc.nat(2),
});

function ratesOf({ input, cachedInput, output }: Books) {
  const of = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' };
  const prices = { input_text_token: input, cached_input_text_token: cachedInput, output_text_token: output };
  return Object.entries(prices).flatMap(([unit, each]) =>
    each === null ? [] : [{ ...of, unit, priceMicrosPerMillion: each }],
  );
}

function replyOf({ input, cached, output }: Answer, content: string): ChatReply {
  const message = { role: 'assistant', content, refusal: null };
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const choices = [{ index: 0, finish_reason: 'stop', message }];
  return {
    body: JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-5-mini', choices, usage }),
  };
}

/** The sum over all answers, with quotient and remainder, not by the formula of the code. */
function expectedCost(scenario: Books): bigint {
  if (scenario.isOwn) return 0n;
  const used: readonly Answer[] = scenario.corrected ? scenario.answers : scenario.answers.slice(0, 1);
  const sum = (of: (each: Answer) => number) => used.reduce<bigint>((total, each) => total + BigInt(of(each)), 0n);
  const parts: readonly (readonly [bigint, number])[] = [
    [sum(({ input, cached }) => input - cached), scenario.input],
    [sum(({ cached }) => cached), scenario.cachedInput ?? scenario.input],
    [sum(({ output }) => output), scenario.output],
  ];
  return parts.reduce<bigint>((total, [quantity, each]) => {
    const product = quantity * BigInt(each);
    return total + product / 1_000_000n + (product % 1_000_000n === 0n ? 0n : 1n);
  }, 0n);
}

function depsOf(scenario: Books): AnalysisDeps {
  const open = createChatCompletions(egress);
  const opened: OpenedCredential = { credentialId: 'c', provider: 'openai', apiKey: 'sk', baseUrl: server.url };
  let { lost } = scenario;
  const finish: AnalysisStore['finish'] = async (input) => {
    const outcome = await world.store.finish(input);
    if ((lost -= 1) >= 0) throw new Error('the connection broke');
    return outcome;
  };
  return {
    store: { ...world.store, finish },
    gate: world.gate,
    funds: world.funds,
    limits: world.reconcileStore,
    chooser: { choose: async () => ({ credentialId: 'c', isOwn: scenario.isOwn }) },
    opener: { open: async () => [opened], openSecrets: async () => new Map() },
    prices: { ratesOf: async () => [] },
    openModel: (choice, credential) => open(choice, credential, false),
    clock: systemClock,
    logger,
    timings: { ...ANALYSIS_TIMINGS, chargeAgainMs: 1, retryAfterMs: [0, 0, 0, 0] },
  };
}

test('an analysis is charged once what all its answers used, apart from its call, and nothing on an own credential', async () => {
  await fc.assert(
    fc.asyncProperty(books, async (scenario) => {
      const call = await world.ended({ rates: ratesOf(scenario), balanceMicros: FUNDS });
      const [first, second] = scenario.answers;
      const good = JSON.stringify({ summary: 'She will come.' });
      replies = [
        ...Array.from({ length: scenario.failures }, () => ({ status: 503, body: '{}' })),
        replyOf(first, scenario.corrected ? 'no JSON' : good),
        ...(scenario.corrected ? [replyOf(second, good)] : []),
      ];
      const deps = depsOf(scenario);
      const shares = createShares({ clock: systemClock, perAccount: 1 });
      const job = () => analyzeNext(deps, shares, call.callId, new AbortController().signal);
      for (let tries = 0; tries <= scenario.failures; tries += 1) await job();
      // Delivered once more.
      expect(await job()).toEqual({ kind: 'done' });

      const cost = expectedCost(scenario);
      const balance = FUNDS - CALL_COST_MICROS - cost;
      expect(await world.books(call.accountId)).toEqual({ balance, ledger: balance, analyses: [-cost] });
      expect(await world.reader.find(call.accountId, call.callId)).toMatchObject({
        analysisStatus: 'completed',
        costMicros: CALL_COST_MICROS,
        analysis: { costMicros: cost },
      });
      expect((await world.gate.state()).slotsInUse).toBe(0);
    }),
    { numRuns: 30 },
  );
}, 120_000);
