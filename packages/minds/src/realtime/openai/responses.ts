type Json = Readonly<Record<string, unknown>>;

/** The parameters of a `response.create`; empty: the session's settings. */
export type ResponseParameters = Json;

interface Request {
  readonly id: string;
  readonly parameters: ResponseParameters;
}

export interface ResponsesInput {
  readonly send: (event: Json) => void;
  /** A response that is canceled before its first sound has no end. */
  readonly leavesCancelledOpen: boolean;
  /** The active response is over, and the provider does not say so. */
  readonly left: () => void;
}

/**
 * One response at a time: the provider rejects a `response.create` while another is active, and starts responses by
 * itself after the callee's turns. Requests wait until the active one is over.
 */
export class Responses {
  readonly #input: ResponsesInput;
  readonly #waiting: Request[] = [];
  /** Nothing more of these is wanted. */
  readonly #dropped = new Set<string>();
  #made = 0;
  #requested: Request | null = null;
  #activeId: string | null = null;
  #isCancelled = false;
  #isMuted = false;
  #hasSounded = false;
  #open = false;
  #stopped = false;

  constructor(input: ResponsesInput) {
    this.#input = input;
  }

  /** None is under way, and none was asked for. */
  get idle(): boolean {
    return this.#activeId === null && this.#requested === null;
  }

  /** One that was asked for has not been sent to the provider. */
  get isAsked(): boolean {
    return this.#waiting.length > 0;
  }

  /** The provider accepts requests from now on. */
  start(): void {
    this.#open = true;
    this.next();
  }

  request(parameters: ResponseParameters = {}): void {
    this.#made += 1;
    this.#waiting.push({ id: `request_${this.#made}`, parameters });
    this.next();
  }

  /** A response began. False: the provider began it by itself. One that it left open is over. */
  created(id: string, requestId: string | undefined): boolean {
    if (this.#activeId !== null) this.#leave();
    this.#activeId = id;
    this.#isCancelled = false;
    this.#isMuted = false;
    this.#hasSounded = false;
    const isAsked = requestId !== undefined && requestId === this.#requested?.id;
    if (isAsked) this.#requested = null;
    if (this.#stopped) this.cancel();
    return isAsked;
  }

  /** Sound of the active response came: from now on its end is reported, however it ends. */
  sounded(): void {
    this.#hasSounded = true;
  }

  /** The active response is canceled, and nothing of it is wanted. */
  mute(): void {
    if (this.#activeId === null) return;
    this.#isMuted = true;
    this.#dropped.add(this.#activeId);
    this.cancel();
  }

  /** Whether nothing of a response is wanted. A provider may not say of which response something is. */
  drops(id: string | undefined): boolean {
    return id === undefined ? this.#isMuted : this.#dropped.has(id);
  }

  /** The provider started a response by itself just before ours arrived: ours follows it. */
  rejectedAsSecond(): void {
    if (this.#requested === null) return;
    if (!this.#stopped) this.#waiting.unshift(this.#requested);
    this.#requested = null;
    this.next();
  }

  /** The provider rejected our event with this id. @returns whether it was the request under way, which never begins */
  rejected(eventId: string): boolean {
    if (this.#requested?.id !== eventId) return false;
    this.#requested = null;
    return true;
  }

  cancel(): void {
    if (this.#activeId === null || this.#isCancelled) return;
    this.#isCancelled = true;
    this.#input.send({ type: 'response.cancel', response_id: this.#activeId });
    if (!this.#input.leavesCancelledOpen || this.#hasSounded) return;
    this.#leave();
    this.next();
  }

  /** No response begins any more, and the active one ends. */
  stop(): void {
    this.#stopped = true;
    this.#open = false;
    this.#waiting.length = 0;
    this.cancel();
  }

  /** A response is over. Requests that waited for it follow with `next`. False: nothing of it is wanted. */
  done(id: string): boolean {
    if (id === this.#activeId) this.#activeId = null;
    return !this.#dropped.delete(id);
  }

  #leave(): void {
    if (this.#activeId === null) return;
    this.#dropped.add(this.#activeId);
    this.#activeId = null;
    // One that the provider replaced before its first sound was no answer.
    if (!this.#isMuted && (this.#hasSounded || this.#isCancelled)) this.#input.left();
  }

  /** What waits for its turn begins, if none is under way. */
  next(): void {
    if (!this.#open || this.#activeId !== null || this.#requested !== null) return;
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#requested = request;
    // The metadata comes back with `response.created` and shows which of the two began.
    const response = { ...request.parameters, metadata: { request: request.id } };
    this.#input.send({ type: 'response.create', event_id: request.id, response });
  }
}
