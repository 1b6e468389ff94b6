import type { PostgresAddress, PostgresHost, SessionTarget } from '@outdial/kernel';

/** The hosts of a URL, and which of them worked last. All clients of a process share one list. */
export class HostList {
  readonly target: SessionTarget;
  readonly #hosts: readonly PostgresHost[];
  #last: PostgresHost;

  constructor({ hosts, target }: PostgresAddress) {
    const [first] = hosts;
    if (first === undefined) throw new Error('A Postgres URL names at least one host.');
    this.target = target;
    this.#hosts = hosts;
    this.#last = first;
  }

  /** The one that worked last, then the others in the order of the URL. */
  inOrder(): readonly PostgresHost[] {
    return [this.#last, ...this.#hosts.filter((host) => host !== this.#last)];
  }

  worked(host: PostgresHost): void {
    this.#last = host;
  }
}
