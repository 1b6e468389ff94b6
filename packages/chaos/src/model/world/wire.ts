import { settle } from './clock.ts';
import type { Process } from './process.ts';

export type Target = 'redis' | 'postgres' | 'carrier';

type Deliver = () => void;

/** A command on its way from a process to a store or to the carrier, or its answer on the way back. */
export interface Message {
  readonly sender: Process;
  readonly target: Target;
  readonly what: string;
  /** Carries it out. Never rejects: what comes back gives the sender the answer, whatever it is. */
  readonly perform: () => Promise<Deliver>;
  /** Null until there is an answer. */
  deliver: Deliver | null;
  /** Tells the sender that nobody answers. */
  readonly giveUp: () => void;
}

/** Nobody knows whether the command was carried out. */
class NoAnswer extends Error {
  constructor(what: string) {
    super(`no answer to ${what}`);
    this.name = 'NoAnswer';
  }
}

/**
 * Everything that leaves a process waits here until the schedule lets it go on: a command to be carried out, an answer
 * to be read. What happens between two of these happens at once, as it does in a process with one thread.
 */
export class Wire {
  /** Sent, not carried out yet. */
  readonly sent: Message[] = [];
  readonly answered: Message[] = [];
  /** Nobody waits for their answers any more, but they may still arrive: once, late, or a second time. */
  readonly strays: Message[] = [];
  readonly down = new Set<Target>();
  /** Commands that were carried out. */
  performed = 0;

  send<Answer>(sender: Process, target: Target, what: string, run: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const message: Message = {
        sender,
        target,
        what,
        deliver: null,
        async perform() {
          try {
            const answer = await run();
            return () => resolve(answer);
          } catch (error) {
            return () => reject(error);
          }
        },
        giveUp: () => reject(new NoAnswer(what)),
      };
      if (sender.state !== 'gone') this.sent.push(message);
    });
  }

  /** What the schedule may choose from: Redis takes the commands of one process in their order. */
  next(): readonly Message[] {
    const first = new Set<Process>();
    const due = this.sent.filter((message) => {
      if (message.target !== 'redis') return true;
      if (first.has(message.sender)) return false;
      first.add(message.sender);
      return true;
    });
    return [...due, ...this.answered.filter(({ sender }) => sender.state === 'running')];
  }

  /** One step: an answer is read, or a command is carried out and, if `read`, its answer read as well. */
  async step(message: Message, read: boolean): Promise<void> {
    if (message.deliver === null) {
      take(this.sent, message);
      message.deliver = this.down.has(message.target) ? message.giveUp : await this.#perform(message);
      this.answered.push(message);
      if (!read || message.sender.state !== 'running') return;
    }
    if (!take(this.answered, message)) return;
    message.deliver?.();
    await settle();
  }

  /** The sender waits no longer. What was not carried out yet may still be. */
  async abandon(message: Message): Promise<void> {
    if (take(this.sent, message)) this.strays.push(message);
    take(this.answered, message);
    message.giveUp();
    await settle();
  }

  /** A client that lost its connection sends again what it got no answer to: the first one may arrive as well. */
  duplicate(message: Message): void {
    this.strays.push({ ...message, deliver: null });
  }

  async arrive(stray: Message): Promise<void> {
    if (this.down.has(stray.target)) return;
    take(this.strays, stray);
    await this.#perform(stray);
  }

  #perform(message: Message): Promise<Deliver> {
    this.performed += 1;
    return message.perform();
  }

  /** The process is gone: what it had sent may still arrive, and nobody reads the answers. */
  disconnect(sender: Process): void {
    for (const message of this.sent.filter((one) => one.sender === sender)) {
      take(this.sent, message);
      this.strays.push(message);
    }
    for (const message of this.answered.filter((one) => one.sender === sender)) take(this.answered, message);
  }
}

function take<Item>(items: Item[], item: Item): boolean {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
  return index >= 0;
}
