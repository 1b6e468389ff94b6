import { holdsPhrase } from '@outdial/agents';
import { fillTemplate, type Persona as PersonaSettings } from '@outdial/contracts';
import type { Persona, PersonaListener } from './persona.ts';

export interface ScriptedPersonaInput {
  readonly persona: Extract<PersonaSettings, { readonly kind: 'scripted' }>;
  readonly variables: Readonly<Record<string, string>>;
  readonly listener: PersonaListener;
}

/** Says its lines one after another; a rule that matches the agent's words goes first, once. Then it hangs up. */
export function openScriptedPersona({ persona, variables, listener }: ScriptedPersonaInput): Persona {
  const lines = [...persona.lines];
  const rules = [...persona.rules];
  return {
    hear(text) {
      const at = rules.findIndex(({ when }) => holdsPhrase(text, when));
      const [rule] = at < 0 ? [] : rules.splice(at, 1);
      const said = rule?.say ?? lines.shift();
      if (said === undefined) listener.hangsUp();
      else listener.says(fillTemplate(said, variables), false);
    },
    close: () => undefined,
  };
}
