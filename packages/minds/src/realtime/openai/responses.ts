/** The parameters of a `response.create`; empty: the session's settings. */
export type ResponseParameters = Readonly<Record<string, unknown>>;

interface Request {
  readonly id: string;
  readonly parameters: ResponseParameters;
}

/**
 * One response at a time: the provider rejects a `response.create` while another is active, and starts responses by
 * itself after the callee's turns. Requests wait until the active one is over.
 */
export class Responses {
  readonly #send: (event: Readonly<Record<string, unknown>>) => void;
  readonly #waiting: Request[] = [];
  #made = 0;
  #requested: Request | null = null;
  #activeId: string | null = null;
  #cancelled = false;
  #open = false;
  #stopped = false;

  constructor(send: (event: Readonly<Record<string, unknown>>) => void) {
    this.#send = send;
  }

  /** None is under way, and none was asked for. */
  get idle(): boolean {
    return this.#activeId === null && this.#requested === null;
  }

  /** The provider accepts requests from now on. */
  start(): void {
    this.#open = true;
    this.#next();
  }

  request(parameters: ResponseParameters = {}): void {
    this.#made += 1;
    this.#waiting.push({ id: `request_${this.#made}`, parameters });
    this.#next();
  }

  created(id: string, requestId: string | undefined): void {
    this.#activeId = id;
    this.#cancelled = false;
    if (requestId !== undefined && requestId === this.#requested?.id) this.#requested = null;
    if (this.#stopped) this.cancel();
  }

  /** The provider started a response by itself just before ours arrived: ours follows it. */
  rejectedAsSecond(): void {
    if (this.#requested === null) return;
    if (!this.#stopped) this.#waiting.unshift(this.#requested);
    this.#requested = null;
    this.#next();
  }

  cancel(): void {
    if (this.#activeId === null || this.#cancelled) return;
    this.#cancelled = true;
    this.#send({ type: 'response.cancel', response_id: this.#activeId });
  }

  /** No response begins any more, and the active one ends. */
  stop(): void {
    this.#stopped = true;
    this.#open = false;
    this.#waiting.length = 0;
    this.cancel();
  }

  done(id: string): void {
    if (id === this.#activeId) this.#activeId = null;
    this.#next();
  }

  #next(): void {
    if (!this.#open || this.#activeId !== null || this.#requested !== null) return;
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#requested = request;
    // The metadata comes back with `response.created` and shows which of the two began.
    this.#send({ type: 'response.create', response: { ...request.parameters, metadata: { request: request.id } } });
  }
}
