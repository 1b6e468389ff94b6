import { OWN_TOOL_NAMES, type ConductedSettings } from '@outdial/contracts';

const MAX_LENGTH = 64;

/** The names by which a model calls its tools: each once. No server stands for a tool of the product. */
export class ModelNames {
  readonly #taken: Set<string>;

  constructor({ tools }: Pick<ConductedSettings, 'tools'>) {
    const own = tools.filter(({ type }) => type !== 'mcp').map(({ name }) => name);
    this.#taken = new Set([...OWN_TOOL_NAMES, ...own]);
  }

  /** The tool's name in a form that every provider accepts; if it is taken, behind its source's. Null: there is none. */
  take(source: string, nameAtServer: string): string | null {
    const plain = nameAtServer.replace(/[^A-Za-z0-9_]/g, '_');
    const name = [plain, `${source}_${plain}`].find((one) => this.#isFree(one)) ?? null;
    if (name !== null) this.#taken.add(name);
    return name;
  }

  #isFree(name: string): boolean {
    return /^[A-Za-z]/.test(name) && name.length <= MAX_LENGTH && !this.#taken.has(name);
  }
}
