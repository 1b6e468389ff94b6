import { InvariantError } from '@outdial/kernel';
import type { HistoryItem, Mind, MindEvent } from './mind.ts';

/** A mind over one connection. */
export interface ConnectedMind extends Mind {
  /** Its fallback has answered first: it was too slow. */
  outrun?(): void;
}

export type OpenConnection = (input: {
  readonly history: readonly HistoryItem[];
  readonly listener: (event: MindEvent) => void;
}) => ConnectedMind;

export interface ConnectionsInput {
  /** The first choice, and its fallbacks. Not empty. */
  readonly open: readonly OpenConnection[];
  /** What a new connection is to know. */
  readonly history: () => readonly HistoryItem[];
  /** From the one in use. */
  readonly received: (event: MindEvent) => void;
  /** From any other: what it costs. */
  readonly used: (event: MindEvent) => void;
}

/** A connection beside the one in use. */
export interface Beside {
  readonly choice: number;
  readonly connection: number;
  readonly mind: ConnectedMind;
}

const IGNORE = () => undefined;

/** The connections of a call: one in use, of which every event counts, and others, of which only the usage does. */
export class Connections {
  readonly #input: ConnectionsInput;
  #opened = 1;
  /** The one in use. */
  #connection = 1;
  #choice = 0;
  #mind: ConnectedMind;

  constructor(input: ConnectionsInput) {
    this.#input = input;
    this.#mind = this.#open(0, 1, IGNORE);
  }

  get mind(): ConnectedMind {
    return this.#mind;
  }

  /** Whose model it is: 0 is the first choice. */
  get choice(): number {
    return this.#choice;
  }

  get hasFallback(): boolean {
    return this.has(this.#choice + 1);
  }

  has(choice: number): boolean {
    return choice < this.#input.open.length;
  }

  /** Another connection takes the place of the one in use. */
  replace(choice: number): void {
    this.#opened += 1;
    this.#connection = this.#opened;
    this.#choice = choice;
    this.#mind = this.#open(choice, this.#connection, IGNORE);
  }

  /** `listener` has its events until it is taken, except for its usage. */
  beside(choice: number, listener: (event: MindEvent) => void): Beside {
    this.#opened += 1;
    const connection = this.#opened;
    return { choice, connection, mind: this.#open(choice, connection, listener) };
  }

  /** From now on this one is in use. */
  take({ choice, connection, mind }: Beside): void {
    this.#choice = choice;
    this.#connection = connection;
    this.#mind = mind;
  }

  #open(choice: number, connection: number, aside: (event: MindEvent) => void): ConnectedMind {
    const { open, history, received, used } = this.#input;
    const openChoice = open[choice];
    if (openChoice === undefined) throw new InvariantError('a mind has a first choice');
    return openChoice({
      history: history(),
      listener: (event) => {
        if (connection === this.#connection) return received(event);
        return event.kind === 'usage' ? used(event) : aside(event);
      },
    });
  }
}
