import type { Criterion, Scenario } from '@outdial/contracts';

/** A scenario as its form has it. */
export interface ScenarioDraft {
  readonly key: string;
  /** What was saved. The form has no field for its rules and scales, which stay. */
  readonly base: Scenario | null;
  readonly name: string;
  readonly kind: Scenario['persona']['kind'];
  readonly prompt: string;
  /** One a line. */
  readonly lines: string;
  readonly variables: Readonly<Record<string, string>>;
  /** One a line. None: those of the agent's analysis. */
  readonly criteria: string;
  readonly toolResults: Readonly<Record<string, string>>;
  readonly maxTurns: string;
}

export function draftOf(base: Scenario, key: string): ScenarioDraft {
  const { name, persona, variables = {}, criteria = [], tool_results: toolResults, max_turns: maxTurns } = base;
  return {
    key,
    base,
    name,
    kind: persona.kind,
    prompt: persona.kind === 'model' ? persona.prompt : '',
    lines: persona.kind === 'scripted' ? persona.lines.map(inOneLine).join('\n') : '',
    variables,
    criteria: criteria.map((criterion) => inOneLine(criterion.criteria)).join('\n'),
    toolResults,
    maxTurns: String(maxTurns),
  };
}

export function emptyDraft(key: string, name: string): ScenarioDraft {
  const texts = { prompt: '', lines: '', criteria: '', maxTurns: '10' };
  return { key, base: null, name, kind: 'model', ...texts, variables: {}, toolResults: {} };
}

/** What the service is asked to save or to run. It checks all of it. @param names of the agent's variables */
export function scenarioOf(draft: ScenarioDraft, names: readonly string[]) {
  const variables = Object.fromEntries(names.map((name) => [name, draft.variables[name] ?? '']));
  const criteria = linesOf(draft.criteria).map((text) => criterionOf(draft.base, text));
  const results = Object.entries(draft.toolResults).filter(([, result]) => result !== '');
  return {
    name: draft.name,
    persona: personaOf(draft),
    variables: { ...draft.base?.variables, ...variables },
    ...(criteria.length > 0 ? { criteria } : {}),
    tool_results: Object.fromEntries(results),
    max_turns: Number(draft.maxTurns),
  };
}

function personaOf({ base, kind, prompt, lines }: ScenarioDraft) {
  const saved = base?.persona.kind === kind ? base.persona : {};
  return kind === 'model' ? { ...saved, kind, prompt } : { ...saved, kind, lines: linesOf(lines) };
}

function criterionOf(base: Scenario | null, text: string): Criterion | { readonly criteria: string } {
  return base?.criteria?.find(({ criteria }) => inOneLine(criteria) === text) ?? { criteria: text };
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const inOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();
