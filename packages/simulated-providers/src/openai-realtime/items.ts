import { unreachable } from '@outdial/kernel';
import type { Prompt } from '../script.ts';
import type { NewItem } from './client-events.ts';
import type { ServerMessage } from './server-message.ts';
import { calleeAudioTokens, ConversationTokens, textTokens } from './token-count.ts';

type ServerItem = Extract<ServerMessage, { type: 'conversation.item.added' }>['item'];

/** Why the API refuses something. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

/** The items of one conversation: what was said on both sides, with the tokens that every answer reads. */
export class Items {
  readonly tokens = new ConversationTokens();
  readonly #send: (event: ServerMessage) => void;
  readonly #soundMs = new Map<string, number>();
  readonly #tools = new Map<string, string>();
  #previous: string | null = null;
  #lastPrompt: Prompt = { kind: 'none' };
  /** What the client added to those of the session. */
  readonly #instructions: string[] = [];

  constructor(send: (event: ServerMessage) => void) {
    this.#send = send;
  }

  /** What the next answer answers. */
  get lastPrompt(): Prompt {
    return this.#lastPrompt;
  }

  /** Messages of the system, in order. */
  get instructions(): readonly string[] {
    return this.#instructions;
  }

  /** Some sound of the agent was sent: from then on the voice cannot change. */
  get hasSound(): boolean {
    return this.#soundMs.size > 0;
  }

  sounded(item: string, ms: number): void {
    this.#soundMs.set(item, ms);
  }

  calledTool(callId: string, name: string): void {
    this.#tools.set(callId, name);
  }

  announce(item: ServerItem): void {
    const previous = this.#previous;
    this.#previous = ('id' in item ? item.id : undefined) ?? null;
    this.#send({ type: 'conversation.item.added', item, previous_item_id: previous });
    this.#send({ type: 'conversation.item.done', item, previous_item_id: previous });
  }

  /** A turn of the callee that the API heard itself. */
  addCalleeTurn(id: string, text: string, durationMs: number): void {
    this.#send({ type: 'input_audio_buffer.committed', item_id: id, previous_item_id: this.#previous });
    this.announce({ id, type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_audio' }] });
    this.tokens.add({ text: 0, audio: calleeAudioTokens(durationMs) });
    this.#lastPrompt = { kind: 'callee', text };
  }

  /** An item that the client made. */
  addFromClient(item: NewItem, id: string): Refusal | null {
    this.announce({ ...item, id });
    switch (item.type) {
      case 'function_call_output':
        return this.#addToolResult(item);
      case 'function_call':
        this.#tools.set(item.call_id, item.name);
        return null;
      case 'message': {
        const text = item.content.map((part) => part.text).join(' ');
        this.tokens.add({ text: textTokens(text), audio: 0 });
        if (item.role === 'system') this.#instructions.push(text);
        if (item.role === 'user') this.#lastPrompt = { kind: 'callee', text };
        return null;
      }
      default:
        return unreachable(item);
    }
  }

  truncate(item: string, audioEndMs: number): Refusal | null {
    const madeMs = this.#soundMs.get(item);
    if (madeMs === undefined) return { code: 'item_not_found', message: `Item '${item}' not found.`, param: 'item_id' };
    if (audioEndMs > madeMs) {
      const message = `Audio content of ${madeMs}ms is already shorter than ${audioEndMs}ms`;
      return { code: 'invalid_value', message, param: 'audio_end_ms' };
    }
    this.#send({ type: 'conversation.item.truncated', item_id: item, content_index: 0, audio_end_ms: audioEndMs });
    return null;
  }

  #addToolResult(item: Extract<NewItem, { type: 'function_call_output' }>): Refusal | null {
    const name = this.#tools.get(item.call_id);
    if (name === undefined) {
      const message = `Tool call ID '${item.call_id}' not found in conversation.`;
      return { code: 'invalid_tool_call_id', message, param: 'item.call_id' };
    }
    this.tokens.add({ text: textTokens(item.output), audio: 0 });
    this.#lastPrompt = { kind: 'tool_result', name, output: item.output };
    return null;
  }
}
