import { micros, type ModelNeed } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AcceptWorld, account, accountId, answer, FAKED_TIMERS } from '../../test/accept-world.ts';
import type { ModelRate } from '../model-rate-deck.ts';

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake] });
  world = new AcceptWorld();
  world.conducted = {
    driver: 'cascade',
    needs: [STT, LLM, { ...LLM, model: 'gpt-6', isFallback: true, path: 'llm.fallbacks.0' }],
    maxDurationSeconds: null,
  };
  world.credentials = [
    { id: 'stt', accountId: null, provider: 'deepgram', name: null },
    { id: 'llm', accountId: null, provider: 'openai', name: null },
    { id: 'own', accountId, provider: 'openai', name: 'mine' },
  ];
  world.modelRates = [
    rateOf(STT, 'flux*', 128_000_000, 7_700),
    rateOf(LLM, 'gpt-5*', 2_000_000, 1_000),
    rateOf(LLM, 'gpt-6', 9_000_000, 5_000),
  ];
});
afterEach(() => {
  vi.useRealTimers();
});

const STT: ModelNeed = {
  component: 'stt',
  provider: 'deepgram',
  model: 'flux-general-en',
  credential: null,
  isFallback: false,
  path: 'stt',
};
const LLM: ModelNeed = { ...STT, component: 'llm', provider: 'openai', model: 'gpt-5-mini', path: 'llm' };

function rateOf({ component, provider }: ModelNeed, model: string, price: number, estimate: number): ModelRate {
  const unit = component === 'stt' ? 'second' : 'output_text_token';
  const amounts = { priceMicrosPerMillion: micros(price), estimateMicrosPerMinute: micros(estimate) };
  return { component, provider, model, unit, ...amounts };
}

describe('a call of a conducted agent', () => {
  it('pins credentials and prices of every model, and holds two minutes of talk and of the estimate', async () => {
    expect((await answer(world, world.request())).outcome.kind).toBe('accepted');
    const [row] = world.rows.values();
    expect(row?.conducted).toEqual({
      driver: 'cascade',
      models: [
        {
          component: 'stt',
          provider: 'deepgram',
          model: 'flux-general-en',
          credentialId: 'stt',
          isOwn: false,
          isFallback: false,
        },
        {
          component: 'llm',
          provider: 'openai',
          model: 'gpt-5-mini',
          credentialId: 'llm',
          isOwn: false,
          isFallback: false,
        },
        { component: 'llm', provider: 'openai', model: 'gpt-6', credentialId: 'llm', isOwn: false, isFallback: true },
      ],
      rates: [
        {
          component: 'stt',
          provider: 'deepgram',
          model: 'flux-general-en',
          unit: 'second',
          priceMicrosPerMillion: 128_000_000n,
        },
        {
          component: 'llm',
          provider: 'openai',
          model: 'gpt-5-mini',
          unit: 'output_text_token',
          priceMicrosPerMillion: 2_000_000n,
        },
        {
          component: 'llm',
          provider: 'openai',
          model: 'gpt-6',
          unit: 'output_text_token',
          priceMicrosPerMillion: 9_000_000n,
        },
      ],
      // The dearer of the two language models.
      estimateMicrosPerMinute: 12_700n,
    });
    expect(row?.holdMicros).toBe(24_000n + 25_400n);
  });

  it('holds no more of the estimate than its longest talk', async () => {
    await answer(world, world.request({ fields: { max_duration_seconds: 30 } }));
    expect([...world.rows.values()][0]?.holdMicros).toBe(12_000n + 6_350n);
  });

  it.each([
    ['lowers that of the request', 30, 900, 30],
    ['lowers that of the account', 30, undefined, 30],
    ['never raises that of the request', 600, 60, 60],
  ])('has a limit of its agent, which %s: talk and hold follow', async (_what, ofAgent, asked, inForce) => {
    world.conducted = { driver: 'cascade', needs: [STT], maxDurationSeconds: ofAgent };
    await answer(world, world.request(asked === undefined ? {} : { fields: { max_duration_seconds: asked } }));
    const [row] = world.rows.values();
    expect(row?.limits.maxDurationSeconds).toBe(inForce);
    // The first increment is a minute of talk.
    expect(row?.holdMicros).toBe(12_000n + (BigInt(inForce) * 7_700n) / 60n);
  });

  it('holds the estimate of the model that transcribes beside that of a realtime one, and needs its rate', async () => {
    const realtime = { ...LLM, component: 'realtime', model: 'gpt-realtime', path: 'model' } as const;
    const transcription = { ...STT, provider: 'openai', model: 'whisper-1', path: 'model.transcription' } as const;
    world.conducted = { driver: 'realtime', needs: [realtime, transcription], maxDurationSeconds: null };
    world.modelRates = [rateOf(realtime, 'gpt-realtime', 32_000_000, 100_000)];
    expect((await answer(world, world.request())).outcome).toMatchObject({
      kind: 'model_not_priced',
      model: 'whisper-1',
    });
    world.modelRates = [...world.modelRates, rateOf(transcription, 'whisper-1', 100_000_000, 6_000)];
    expect((await answer(world, world.request())).outcome.kind).toBe('accepted');
    const [row] = world.rows.values();
    expect(row?.conducted?.rates).toContainEqual(expect.objectContaining({ component: 'stt', model: 'whisper-1' }));
    expect(row?.holdMicros).toBe(24_000n + 212_000n);
  });

  it('is refused if its only stored rate is in a unit that its component does not count', async () => {
    world.conducted = { driver: 'cascade', maxDurationSeconds: null, needs: [LLM] };
    world.modelRates = [{ ...rateOf(LLM, LLM.model, 2_000_000, 1_000), unit: 'character' }];
    expect((await answer(world, world.request())).outcome).toMatchObject({
      kind: 'model_not_priced',
      model: LLM.model,
    });
  });

  it('is refused if a provider has no credential, or none with the name', async () => {
    world.conducted = { driver: 'cascade', maxDurationSeconds: null, needs: [STT, { ...LLM, credential: 'lost' }] };
    expect((await answer(world, world.request())).outcome).toEqual({
      kind: 'provider_not_configured',
      provider: 'openai',
      path: 'llm',
    });
    expect(world.asked).not.toContain('reserve');
  });

  it('is refused if a model has no rate in the account’s currency', async () => {
    world.conducted = { driver: 'cascade', maxDurationSeconds: null, needs: [STT, { ...LLM, model: 'opus' }] };
    expect((await answer(world, world.request())).outcome).toEqual({
      kind: 'model_not_priced',
      provider: 'openai',
      model: 'opus',
      currency: account.currency,
    });
  });

  it('needs no rate for models of a local server, and is charged by one that the operator gives it', async () => {
    const local = { ...LLM, provider: 'local', model: 'qwen3:8b' } as const;
    world.conducted = { driver: 'cascade', maxDurationSeconds: null, needs: [local] };
    world.credentials = [{ id: 'local', accountId: null, provider: 'local', name: null }];
    expect((await answer(world, world.request())).outcome.kind).toBe('accepted');
    const [free] = world.rows.values();
    expect(free?.conducted).toMatchObject({ estimateMicrosPerMinute: 0n, rates: [], models: [{ isOwn: false }] });
    expect(free?.holdMicros).toBe(24_000n);
    world.modelRates = [rateOf(local, 'qwen*', 1_000_000, 500)];
    await answer(world, world.request({ requestId: 'priced' }));
    expect([...world.rows.values()].at(-1)?.conducted).toMatchObject({
      estimateMicrosPerMinute: 500n,
      rates: [{ provider: 'local', unit: 'output_text_token' }],
    });
  });

  it('needs no rate on a credential of the account, and expects no cost there', async () => {
    world.conducted = {
      driver: 'cascade',
      maxDurationSeconds: null,
      needs: [STT, { ...LLM, model: 'opus', credential: 'mine' }],
    };
    await answer(world, world.request());
    const [row] = world.rows.values();
    expect(row?.conducted).toMatchObject({ estimateMicrosPerMinute: 7_700n, rates: [{ component: 'stt' }] });
    expect(row?.conducted?.models[1]).toMatchObject({ credentialId: 'own', isOwn: true });
  });
});

it('a call of a scripted agent asks for no credential and no price', async () => {
  world.conducted = null;
  world.credentials = [];
  world.modelRates = [];
  await answer(world, world.request());
  expect([...world.rows.values()][0]).toMatchObject({ conducted: null, holdMicros: 24_000n });
});
