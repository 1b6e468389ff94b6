import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import { createCall, GIVES_UP_AFTER_MS, type Answer, type Attempt, type NewCall } from './client.ts';
import { PromiseLog } from './promises.ts';

/** A thousand clients that retry every second would keep a busy machine busy with rejections. */
const LONGEST_PAUSE_MS = 5_000;

export interface PlaceOptions {
  readonly key?: string;
  /** The API to call; otherwise they take turns. */
  readonly api?: Service;
  /** Receives each attempt as it is answered. */
  readonly seen?: (attempt: Attempt) => void;
}

/** The customers: they place calls, retry when asked to, and remember every answer. */
export class Clients {
  readonly promises = new PromiseLog();
  readonly #apis: readonly Service[];
  #turn = 0;

  constructor(apis: readonly Service[]) {
    this.#apis = apis;
  }

  /** One attempt. */
  async place(account: Account, call: NewCall, { key = randomUUID(), api, seen }: PlaceOptions = {}): Promise<Attempt> {
    const attempt = await createCall((api ?? this.#nextApi()).url, account, call, key);
    this.promises.record(account, key, attempt);
    seen?.(attempt);
    return attempt;
  }

  /** Retries under one key, for minutes, until the call is accepted or rejected for a permanent reason. */
  async placeWithRetries(account: Account, call: NewCall, options: PlaceOptions = {}): Promise<Answer> {
    const key = options.key ?? randomUUID();
    const deadlineMs = performance.now() + GIVES_UP_AFTER_MS;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const { answer } = await this.place(account, call, { ...options, key });
      if (answer.kind === 'accepted' || (answer.kind === 'refused' && !RETRYABLE.has(answer.code))) return answer;
      if (performance.now() > deadlineMs) return answer;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }

  /** Places as many at once, each until it is accepted. @throws if any is rejected */
  async placeMany(account: Account, count: number, call: (index: number) => NewCall): Promise<readonly CallId[]> {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => this.placeWithRetries(account, call(index))),
    );
    return answers.map((answer) => {
      if (answer.kind !== 'accepted') throw new Error(`a call was not accepted: ${JSON.stringify(answer)}`);
      return answer.callId;
    });
  }

  #nextApi(): Service {
    this.#turn += 1;
    const api = this.#apis[this.#turn % this.#apis.length];
    if (!api) throw new Error('there is an API');
    return api;
  }
}

const RETRYABLE: ReadonlySet<string> = new Set(['service_unavailable', 'outcome_unknown', 'idempotency_in_progress']);
