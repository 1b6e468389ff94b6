import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import { CallingPolicyResource } from './calling-policy.ts';
import type { Account, LedgerEntry, PageOptions, PhoneNumber } from '../types.ts';

export class AccountResource {
  readonly callingPolicy: CallingPolicyResource;
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
    this.callingPolicy = new CallingPolicyResource(api);
  }

  /** The wallet and the slots. */
  async get(options: RequestOptions = {}): Promise<Account> {
    const { account } = await bodyOf(this.#api.http.GET('/api/v1/account', withSignal(options)));
    return account;
  }

  /** Top-ups and charges, newest first. */
  ledger({ cursor: first, ...rest }: PageOptions = {}, options: RequestOptions = {}): Pages<LedgerEntry> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const answer = this.#api.http.GET('/api/v1/account/ledger', { params: { query }, ...withSignal(options) });
      const page = await bodyOf(answer);
      return pageOf(page.entries, page);
    }, first);
  }
}

export class PhoneNumbersResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All numbers of the account, the default first. */
  async list(options: RequestOptions = {}): Promise<readonly PhoneNumber[]> {
    const { phone_numbers: numbers } = await bodyOf(this.#api.http.GET('/api/v1/phone-numbers', withSignal(options)));
    return numbers;
  }
}
