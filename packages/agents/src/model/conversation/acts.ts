import { unreachable } from '@outdial/kernel';
import type { Act } from '../bridge.ts';
import { HeardKeys, KeyPresses } from '../keys.ts';
import type { Conversation } from './conversation.ts';
import type { Ending } from './ending.ts';
import type { OptingOut } from './opting-out.ts';
import type { Transferring } from './transferring.ts';

/** What the model does to the call itself, and the keys of both sides. */
export class Acts {
  readonly #conversation: Conversation;
  readonly #ending: Ending;
  readonly #optingOut: OptingOut;
  readonly #transferring: Transferring;
  readonly #heardKeys = new HeardKeys();
  readonly #presses = new KeyPresses();

  constructor(conversation: Conversation, ending: Ending, optingOut: OptingOut, transferring: Transferring) {
    this.#conversation = conversation;
    this.#ending = ending;
    this.#optingOut = optingOut;
    this.#transferring = transferring;
  }

  get pressesKeys(): boolean {
    return this.#presses.busy;
  }

  onAct(id: string, act: Act): void {
    const { line, nowMs } = this.#conversation;
    const done = (output: string) => line.send({ kind: 'act_done', id, output, answer: false });
    if (act.kind === 'opt_out') {
      done('the callee is not called again, and the call ends');
      return this.#optingOut.byTool(act.reason);
    }
    if (this.#conversation.phase.name !== 'talking') return done('not possible now');
    switch (act.kind) {
      case 'end_call':
        done('the call ends');
        return this.#ending.onEndCall();
      case 'press_digits':
        return this.#presses.start(id, act.digits, nowMs);
      case 'leave_voicemail':
        done('the message is left after the beep');
        return this.#awaitTone();
      case 'transfer':
        return this.#transferring.onAct(id, act);
      default:
        return unreachable(act);
    }
  }

  /** Keys that the callee presses. */
  hearKeys(digits: string): void {
    if (this.#optingOut.isKeyIn(digits)) return this.#optingOut.byKey();
    this.#heardKeys.add(digits, this.#conversation.nowMs);
  }

  /** Call it once a frame. Passes on the keys that are complete, and presses those that are due. */
  follow(): void {
    const { phase, line, record, nowMs } = this.#conversation;
    const heard = this.#heardKeys.take(nowMs);
    if (heard !== null && phase.name === 'talking') {
      this.#conversation.breakOff();
      this.#conversation.waiting.asked(nowMs);
      line.send({ kind: 'digits', digits: heard });
    }
    for (const step of this.#presses.follow(nowMs)) {
      if (step.kind === 'press') record.agentPressed(step.keys);
      else line.send({ kind: 'act_done', id: step.id, output: 'pressed', answer: true });
    }
  }

  #awaitTone(): void {
    this.#conversation.breakOff();
    this.#conversation.record.decide('voicemail');
    this.#conversation.enter({ name: 'awaiting_tone', sinceMs: this.#conversation.nowMs });
  }
}
