import { callbackify } from 'node:util';
import type { Clock, PostgresHost, SessionTarget } from '@outdial/kernel';
import { Client, type ClientConfig } from 'pg';
import type { HostList } from './host-list.ts';
import { isSameEverywhere, noHostConnected, WrongRole, type HostFailure } from './no-host-connected.ts';

type Connected = (error: Error | null, client?: Client) => void;

/** The limit for all hosts together where the caller sets none. */
const DEFAULT_LIMIT_MS = 10_000;
const LEAST_MS = 1;

/** The class of clients that connect to one host of a list: `Pool` makes its connections of such a class. */
export type ListedClientClass = new (config?: ClientConfig) => Client;

/**
 * A client that connects to the first host of the list that has the wanted role. The limit for connecting is for all hosts
 * together: each gets two thirds of what is left, and the last one all of it, so that a host that does not answer leaves time
 * for the others.
 */
export function listedClientClass(hosts: HostList, clock: Clock): ListedClientClass {
  return class ListedClient extends Client {
    readonly #config: ClientConfig;
    #isConnecting = false;
    #isEnded = false;
    /** Settles once node-postgres has answered the challenge of the server, or has failed to. */
    #answering: Promise<unknown> = Promise.resolve();

    constructor(config: ClientConfig = {}) {
      super(configFor(config, hosts.inOrder()[0]));
      this.#config = config;
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      if (callback === undefined) return this.#connectToOne();
      callbackify(() => this.#connectToOne())(callback);
    }

    /** Also stops looking for a host. */
    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      this.#isEnded = true;
      if (!this.#isConnecting) return callback === undefined ? super.end() : super.end(callback);
      // With an error: node-postgres would never settle the promise of `connect` without one.
      this.connection.stream.destroy(new Error('Connection terminated'));
      if (callback === undefined) return Promise.resolve();
      process.nextTick(callback);
    }

    /** A connection may break before the caller can listen, and an `error` event without a listener ends the process. */
    async #connectToOne(): Promise<Client> {
      this.on('error', ignore);
      try {
        return await this.#tryAll();
      } finally {
        this.off('error', ignore);
      }
    }

    async #tryAll(): Promise<Client> {
      const endMs = clock.monotonicMs() + (this.#config.connectionTimeoutMillis || DEFAULT_LIMIT_MS);
      const failures: HostFailure[] = [];
      const order = hosts.inOrder();
      for (const [index, host] of order.entries()) {
        const leftMs = endMs - clock.monotonicMs();
        const limitMs = index === order.length - 1 ? leftMs : (leftMs * 2) / 3;
        if (limitMs < LEAST_MS) break;
        const error = await this.#connectTo(host, limitMs);
        if (error === null) {
          hosts.worked(host);
          return this;
        }
        await this.#forget(host);
        if (this.#isEnded || isSameEverywhere(error)) throw error;
        failures.push({ host, error });
      }
      throw noHostConnected(failures);
    }

    async #connectTo(host: PostgresHost, limitMs: number): Promise<Error | null> {
      this.#begin(host);
      this.#isConnecting = true;
      const timer = clock.after(limitMs, () => this.connection.stream.destroy(timedOut()));
      try {
        await super.connect();
        await assertRole(this, hosts.target);
        return null;
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      } finally {
        timer.cancel();
        this.#isConnecting = false;
      }
    }

    /**
     * A client of node-postgres connects once. All that it knows of a connection is copied from a new one, which never
     * connects itself.
     */
    #begin(host: PostgresHost): void {
      const { _events, _eventsCount, _maxListeners, ...state } = stateOf(new Client(configFor(this.#config, host)));
      Object.assign(this, state);
    }

    /**
     * Overrides what node-postgres does with a challenge. It computes the answer for a while, and then sends it on the
     * connection that this client has by then.
     */
    protected _handleAuthSASLContinue(message: unknown): void {
      const handle: unknown = Reflect.get(Client.prototype, '_handleAuthSASLContinue');
      if (typeof handle !== 'function') throw new Error('node-postgres handles the challenge in another way');
      this.#answering = Promise.resolve(Reflect.apply(handle, this, [message]));
    }

    /** The old connection reports nothing more, and `end` has nothing to wait for. */
    async #forget(host: PostgresHost): Promise<void> {
      const { connection } = this;
      connection.stream.destroy();
      await this.#answering;
      connection.removeAllListeners();
      connection.on('error', () => undefined);
      this.#begin(host);
    }
  };
}

const ignore = () => undefined;

type ClientState = Readonly<Record<string, unknown>>;

function stateOf(client: Client): ClientState {
  return Object.fromEntries(Object.entries(client));
}

/** The limit is ours: the one of node-postgres ends before the role is known. */
function configFor(config: ClientConfig, host: PostgresHost | undefined): ClientConfig {
  return { ...config, connectionString: host?.url, connectionTimeoutMillis: 0 };
}

function timedOut(): Error {
  return Object.assign(new Error('did not answer in time'), { code: 'ETIMEDOUT' });
}

async function assertRole(client: Client, target: SessionTarget): Promise<void> {
  if (target === 'any') return;
  const { rows } = await client.query<{ isRecovering: boolean; isReadOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS "isRecovering", current_setting('transaction_read_only')::bool AS "isReadOnly"`,
  );
  const [state] = rows;
  if (state === undefined || state.isRecovering || (target === 'read-write' && state.isReadOnly))
    throw new WrongRole(state?.isRecovering ?? false);
}
