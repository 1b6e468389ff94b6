import { settle } from './clock.ts';
import type { Process } from './process.ts';

export type Target = 'redis' | 'postgres' | 'carrier';

type Deliver = () => void;

/** A command on its way from a process to a store or the carrier, or its answer on the way back. */
export interface Message {
  readonly sender: Process;
  readonly target: Target;
  readonly what: string;
  /** Performs the command. Never rejects: the returned function delivers the answer, whatever it is. */
  readonly perform: () => Promise<Deliver>;
  /** Null until there is an answer. */
  deliver: Deliver | null;
  /** Reports to the sender that there is no answer. */
  readonly giveUp: () => void;
}

/** It is unknown whether the command was performed. */
export class NoAnswer extends Error {
  readonly target: Target;

  constructor(target: Target, what: string) {
    super(`no answer to ${what}`);
    this.name = 'NoAnswer';
    this.target = target;
  }
}

/**
 * Everything that leaves a process waits here until the schedule lets it proceed: a command to perform, an answer to
 * read. What happens between two of these is one step, as in a process with one thread.
 */
export class Wire {
  /** Sent, not performed yet. */
  readonly sent: Message[] = [];
  readonly answered: Message[] = [];
  /** Messages whose sender no longer waits. They may still arrive: once, late, or twice. */
  readonly strays: Message[] = [];
  readonly down = new Set<Target>();
  /** The number of performed commands. */
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
        giveUp: () => reject(new NoAnswer(target, what)),
      };
      if (sender.state !== 'gone') this.sent.push(message);
    });
  }

  /** The schedule's choices: Redis takes the commands of one process in their order. */
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

  /** One step: reads an answer, or performs a command and, if `read`, reads its answer as well. */
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

  /** The sender stops waiting. The command may still be performed. */
  async abandon(message: Message): Promise<void> {
    if (take(this.sent, message)) this.strays.push(message);
    take(this.answered, message);
    message.giveUp();
    await settle();
  }

  /** A client that lost its connection resends unanswered commands: the first copy may arrive as well. */
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

  /** The process is gone: its sent commands may still arrive, and their answers are not read. */
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
