import type { TransferFailure } from '@outdial/calls';
import { TRANSFER_LIMITS, transferTargetOf, type TransferTarget } from '@outdial/contracts';
import type { Act } from '../bridge.ts';
import { HINTS } from '../conducted-texts.ts';
import { transferFailureText } from '../transfer-words.ts';
import type { Conversation } from './conversation.ts';

type TransferAct = Pick<Extract<Act, { kind: 'transfer' }>, 'tool' | 'destination' | 'summary'>;

interface Wish {
  /** Of the tool call. */
  readonly id: string;
  readonly destination: string;
  readonly target: TransferTarget;
  /** By the message of the destination, which was said after the tool call. */
  readonly isAnnounced: boolean;
  /** Null: the far end is asked to transfer the callee. */
  readonly warm: { readonly introduction: string; readonly ringTimeoutSeconds: number } | null;
}

const INTERRUPTED = 'The callee spoke before the transfer began: it did not take place. Answer the callee.';

/** A transfer, from the wish of the model to its result: the callee hears of it, then the far end is asked. */
export class Transferring {
  readonly #conversation: Conversation;
  #wish: Wish | null = null;
  #isAsked = false;
  #isIntroducing = false;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The far end calls the destination. */
  get isUnderWay(): boolean {
    return this.#isAsked;
  }

  /** The destination has answered, and hears the agent. */
  get isIntroducing(): boolean {
    return this.#isIntroducing;
  }

  onAct(id: string, { tool, destination: name, summary }: TransferAct): void {
    const { settings, texts, voice, nowMs } = this.#conversation;
    const found = settings.tools.flatMap((one) => {
      if (one.type !== 'transfer_call' || one.name !== tool) return [];
      return one.destinations.filter((destination) => destination.name === name).map((to) => ({ settings: one, to }));
    })[0];
    const target = found && transferTargetOf(found.to.to_number);
    if (target === undefined) return this.#answer(id, 'error: there is no such destination', true);
    const message = texts.transfer(tool, name);
    const warm =
      found?.settings.mode === 'warm'
        ? {
            introduction: texts.introduction(tool, name, summary ?? null),
            ringTimeoutSeconds: found.settings.ring_timeout_seconds ?? TRANSFER_LIMITS.ringSeconds,
          }
        : null;
    this.#wish = { id, destination: name, target, isAnnounced: message !== null, warm };
    if (message !== null) this.#conversation.breakOff();
    this.#conversation.enter({ name: 'announcing', awaitsLine: message !== null, sinceMs: nowMs });
    this.#conversation.waiting.settle(nowMs);
    if (message !== null) voice.ask({ purpose: 'transfer', text: message });
  }

  /** The callee has heard of it. */
  begin(): void {
    if (this.#wish === null || this.#isAsked) return;
    const { destination, target, warm } = this.#wish;
    this.#isAsked = true;
    // Without its mind, the call ends once the transfer has failed.
    if (this.#conversation.phase.name !== 'failing') this.#conversation.enter({ name: 'transferring' });
    const { ringTimeoutSeconds } = warm ?? {};
    this.#conversation.emit({
      kind: 'transfer',
      destination,
      target,
      ...(ringTimeoutSeconds !== undefined && { warm: { ringTimeoutSeconds } }),
    });
  }

  /** The destination of a warm transfer has answered: it hears who waits for it, in the agent's voice. */
  introduce(): void {
    const warm = this.#wish?.warm ?? null;
    const { phase, voice, nowMs } = this.#conversation;
    if (warm === null || !this.#isAsked || this.#isIntroducing) return;
    this.#isIntroducing = true;
    // Without its mind, the agent connects both at once.
    if (phase.name !== 'transferring') return;
    this.#conversation.breakOff();
    this.#conversation.enter({ name: 'introducing', sinceMs: nowMs });
    voice.ask({ purpose: 'introduction', text: warm.introduction });
  }

  introduced(): void {
    if (!this.#isIntroducing || this.#wish === null) return;
    this.#answer(this.#wish.id, 'the callee was connected with the destination', false);
    this.#wish = null;
    this.#isIntroducing = false;
    this.#conversation.enter({ name: 'over' });
    this.#conversation.emit({ kind: 'introduced' });
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
    this.#isIntroducing = false;
    const { phase, waiting, isFinished, nowMs } = this.#conversation;
    if (isFinished) return;
    if (phase.name === 'introducing') this.#conversation.breakOff();
    // The callee may have opted out while the far end was calling.
    const goesOn = phase.name === 'transferring' || phase.name === 'introducing';
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
