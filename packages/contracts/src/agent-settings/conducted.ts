import { z } from 'zod';
import { analysisSchema } from './analysis.ts';
import { MCP_LIMITS } from './mcp-source.ts';
import { conductedOptOut } from './opt-out.ts';
import type { TemplateText } from './template-text.ts';
import { toolSchema } from './tools.ts';

const MAX_KNOWLEDGE_LENGTH = 64 * 1024;
const phrases = z.array(z.string().trim().min(1, 'must not be empty').max(200)).max(50);

/** BCP 47, such as `en-US`. */
const language = z.string().refine(isLanguage, 'must be a language tag, such as en-US');
const timezone = z.string().refine(isTimeZone, 'must be a time zone, such as Europe/Berlin');

/** The rules for texts: strict for what is saved now, lenient for what is stored. */
export interface TextRules {
  /** For a model. */
  readonly text: (maxLength: number) => TemplateText;
  /** For a built-in voice. */
  readonly spokenText: (maxLength: number) => TemplateText;
}

/** What all agents that models conduct have in common. */
export function conductedShape({ text, spokenText }: TextRules, name: z.ZodString) {
  return {
    name,
    language: language.default('en-US'),
    timezone: timezone.default('UTC'),
    instructions: text(32_000),
    knowledge: z
      .array(z.strictObject({ title: text(200), text: text(MAX_KNOWLEDGE_LENGTH) }))
      .max(20)
      .refine(
        (parts) => parts.reduce((length, part) => length + part.text.length, 0) <= MAX_KNOWLEDGE_LENGTH,
        `must be at most ${MAX_KNOWLEDGE_LENGTH} characters in all`,
      )
      .default([]),
    first_speaker: z.enum(['agent', 'callee']).default('agent'),
    first_message: text(1_000).optional(),
    first_message_mode: z.enum(['static', 'generated']).default('static'),
    interruption: z
      .strictObject({
        enabled: z.boolean().default(true),
        min_speech_ms: z.int().min(40).max(2_000).default(140),
        min_words: z.int().min(0).max(10).default(0),
        ignore_phrases: phrases.default([]),
        false_interruption_timeout_ms: z.int().min(100).max(5_000).default(400),
      })
      .prefault({}),
    endpointing: z
      .strictObject({
        mode: z.enum(['provider', 'silence']).default('provider'),
        min_delay_ms: z.int().min(100).max(5_000).default(500),
        max_delay_ms: z.int().min(100).max(10_000).default(3_000),
      })
      .refine(({ min_delay_ms: least, max_delay_ms: most }) => least <= most, {
        path: ['max_delay_ms'],
        error: 'must be at least min_delay_ms',
      })
      .prefault({}),
    no_input: z
      .strictObject({
        /** Without one, the model asks in its own words. */
        prompt: text(1_000).optional(),
        after_ms: z.int().min(1_000).max(60_000).default(6_000),
        times: z.int().min(0).max(5).default(2),
      })
      .prefault({}),
    voicemail: z
      .strictObject({
        action: z.enum(['hang_up', 'leave_message']).default('hang_up'),
        /** Without one, the model makes it. */
        message: text(1_000).optional(),
      })
      .prefault({}),
    screening_reply: text(1_000).optional(),
    closing: text(1_000).optional(),
    failure_message: spokenText(300).default('I am sorry, there is a technical problem. Goodbye.'),
    end_call: z.strictObject({ phrases: phrases.default([]), on_model: z.boolean().default(true) }).prefault({}),
    opt_out: conductedOptOut(text(1_000)).prefault({}),
    max_turns: z.int().min(1).max(500).optional(),
    max_duration_seconds: z.int().min(10).max(14_400).optional(),
    waiting: z
      .strictObject({
        after_ms: z.int().min(500).max(10_000).default(1_500),
        phrases: phrases.default(['One moment.']),
      })
      .prefault({}),
    tools: z
      .array(toolSchema(text))
      .max(32)
      .superRefine((tools, context) => {
        for (const [index, { name: toolName }] of tools.entries()) {
          if (tools.findIndex((tool) => tool.name === toolName) < index) {
            context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of another tool' });
          }
        }
        const sources = tools.flatMap(({ type }, index) => (type === 'mcp' ? [index] : []));
        for (const index of sources.slice(MCP_LIMITS.sources)) {
          const message = `is one too many: an agent may have ${MCP_LIMITS.sources} MCP servers`;
          context.addIssue({ code: 'custom', path: [index], message });
        }
      })
      .default([]),
    analysis: analysisSchema(text).optional(),
  };
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
