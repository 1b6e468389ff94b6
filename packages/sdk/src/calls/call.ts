import type { CallChange, CallData, CallEvent, Instruction, OptOut, Suppression } from '../types.ts';
import type { RequestOptions } from '../http/api.ts';
import type { FollowOptions } from './timeline.ts';
import type { WaitOptions } from './wait-for-end.ts';

/** What carries out the actions: `outdial.calls`. */
interface Calls {
  wait(callId: string, options?: WaitOptions): Promise<Call>;
  events(callId: string, options?: FollowOptions): AsyncGenerator<CallEvent, void, undefined>;
  recording(callId: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>;
  end(callId: string, options?: RequestOptions): Promise<Call>;
  update(callId: string, change: CallChange, options?: RequestOptions): Promise<Call>;
  optOut(callId: string, body?: OptOut, options?: RequestOptions): Promise<Suppression>;
  instruct(callId: string, text: string, options?: RequestOptions): Promise<Instruction>;
  get(callId: string, options?: RequestOptions): Promise<Call>;
}

/** What can be done with a call. */
export class CallActions {
  readonly #calls: Calls;
  readonly #id: string;

  constructor(calls: Calls, id: string) {
    this.#calls = calls;
    this.#id = id;
  }

  /**
   * The call once it has ended, however long it is scheduled. A broken connection does not end the waiting. A retry is another
   * call: `next_call_id`.
   */
  wait(options?: WaitOptions): Promise<Call> {
    return this.#calls.wait(this.#id, options);
  }

  /** Its timeline, from the beginning or after `lastEventId`, until it has ended. */
  events(options?: FollowOptions): AsyncGenerator<CallEvent, void, undefined> {
    return this.#calls.events(this.#id, options);
  }

  /** Its sound as WAV. @throws NotFoundError `recording_not_available` */
  recording(options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#calls.recording(this.#id, options);
  }

  /** Hangs up, or cancels it. */
  end(options?: RequestOptions): Promise<Call> {
    return this.#calls.end(this.#id, options);
  }

  /** Puts the callee on the do-not-call list. The call itself goes on. */
  optOut(body?: OptOut, options?: RequestOptions): Promise<Suppression> {
    return this.#calls.optOut(this.#id, body, options);
  }

  /** Whispers to the model that conducts it: it follows the text from its next answer on, and the callee does not hear it. */
  instruct(text: string, options?: RequestOptions): Promise<Instruction> {
    return this.#calls.instruct(this.#id, text, options);
  }

  update(change: CallChange, options?: RequestOptions): Promise<Call> {
    return this.#calls.update(this.#id, change, options);
  }

  /** The call as it is now. */
  refresh(options?: RequestOptions): Promise<Call> {
    return this.#calls.get(this.#id, options);
  }
}

/** A call as it was when it was read, with what can be done with it. As JSON it is what the API answered. */
export type Call = CallData & CallActions;

/** A field that a later server adds never hides a method. */
export function toCall(calls: Calls, data: CallData): Call {
  const own: CallData = { ...data };
  for (const name of Object.getOwnPropertyNames(CallActions.prototype)) Reflect.deleteProperty(own, name);
  return Object.assign(new CallActions(calls, data.id), own);
}
