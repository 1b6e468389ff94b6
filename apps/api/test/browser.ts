import { randomInt } from 'node:crypto';
import { invariant } from '@outdial/kernel';
import type { Answer, ApiClient, RequestOptions } from './client.ts';

/** A user of the dashboard, whose browser keeps the cookie. */
export interface Browser {
  /** Paths below `/api/dashboard`. */
  request(method: string, path: string, options?: RequestOptions & { readonly from?: ApiClient }): Promise<Answer>;
  /** The session's token, if there is one. */
  readonly token: () => string | null;
  setToken(token: string | null): void;
  /** The attributes of the last answer that set the cookie. */
  readonly cookie: () => string | null;
  readonly address: string;
}

const NAME = '__Host-outdial_session';

/** @param address random by default, so that the failed attempts of one test do not count against another */
export function openBrowser(api: ApiClient, address = someAddress()): Browser {
  let cookie: string | null = null;
  let token: string | null = null;
  return {
    address,
    token: () => token,
    setToken(other) {
      token = other;
    },
    cookie: () => cookie,
    async request(method, path, { from = api, headers, ...options } = {}) {
      const answer = await from.request(method, `//api/dashboard/${path}`, {
        ...options,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          'X-Forwarded-For': address,
          ...(token === null ? {} : { Cookie: `theme=dark; ${NAME}=${token}` }),
          ...headers,
        },
      });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) {
        cookie = set;
        const value = /^__Host-outdial_session=([^;]*);/.exec(set)?.[1];
        invariant(value !== undefined, 'the cookie is the session’s');
        token = value === '' ? null : value;
      }
      return answer;
    },
  };
}

function someAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
