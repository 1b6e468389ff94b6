import type { TransferFailure } from '@outdial/calls';
import { transferTargetOf, type TransferTarget } from '@outdial/contracts';
import { HINTS } from '../conducted-texts.ts';
import { transferFailureText } from '../transfer-words.ts';
import type { Conversation } from './conversation.ts';

interface Wish {
  /** Of the tool call. */
  readonly id: string;
  readonly destination: string;
  readonly target: TransferTarget;
  /** By the message of the destination, which was said after the tool call. */
  readonly isAnnounced: boolean;
}

const INTERRUPTED = 'The callee spoke before the transfer began: it did not take place. Answer the callee.';

/** A transfer, from the wish of the model to its result: the callee hears of it, then the far end is asked. */
export class Transferring {
  readonly #conversation: Conversation;
  #wish: Wish | null = null;
  #isAsked = false;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The far end calls the destination. */
  get isUnderWay(): boolean {
    return this.#isAsked;
  }

  onAct(id: string, { tool, destination: name }: { readonly tool: string; readonly destination: string }): void {
    const { settings, texts, voice, nowMs } = this.#conversation;
    const found = settings.tools
      .flatMap((one) => (one.type === 'transfer_call' && one.name === tool ? one.destinations : []))
      .find((destination) => destination.name === name);
    const target = found && transferTargetOf(found.to_number);
    if (target === undefined) return this.#answer(id, 'error: there is no such destination', true);
    const message = texts.transfer(tool, name);
    this.#wish = { id, destination: name, target, isAnnounced: message !== null };
    if (message !== null) this.#conversation.breakOff();
    this.#conversation.enter({ name: 'announcing', awaitsLine: message !== null, sinceMs: nowMs });
    this.#conversation.waiting.settle(nowMs);
    if (message !== null) voice.ask({ purpose: 'transfer', text: message });
  }

  /** The callee has heard of it. */
  begin(): void {
    if (this.#wish === null || this.#isAsked) return;
    const { destination, target } = this.#wish;
    this.#isAsked = true;
    // Without its mind, the call ends once the transfer has failed.
    if (this.#conversation.phase.name !== 'failing') this.#conversation.enter({ name: 'transferring' });
    this.#conversation.emit({ kind: 'transfer', destination, target });
  }

  /** The callee interrupts the announcement. */
  onCut(): void {
    if (this.#conversation.phase.name !== 'announcing' || this.#wish === null) return;
    this.#answer(this.#wish.id, INTERRUPTED, false);
    this.#wish = null;
    this.#conversation.enter({ name: 'talking' });
  }

  onFailed(failure: TransferFailure): void {
    if (this.#wish === null || !this.#isAsked) return;
    const { id, isAnnounced } = this.#wish;
    this.#wish = null;
    this.#isAsked = false;
    const { phase, waiting, isFinished, nowMs } = this.#conversation;
    if (isFinished) return;
    // The callee may have opted out while the far end was calling.
    const goesOn = phase.name === 'transferring';
    const text = transferFailureText(failure);
    // In the conversation of a model, a result stands with its call: before the message, which would seem to come after it.
    this.#answer(id, text, goesOn && !isAnnounced);
    if (!goesOn) return;
    this.#conversation.enter({ name: 'talking' });
    if (isAnnounced) this.#conversation.askAnswer(HINTS.notTransferred(text));
    else waiting.asked(nowMs);
  }

  #answer(id: string, output: string, answer: boolean): void {
    this.#conversation.line.send({ kind: 'act_done', id, output, answer });
  }
}
