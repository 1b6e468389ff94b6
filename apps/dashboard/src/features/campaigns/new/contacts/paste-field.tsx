import { Textarea } from '@mantine/core';
import { withHeader } from './pasted-text.ts';
import type { Contacts } from './use-contacts.ts';

interface PasteFieldProps {
  readonly contacts: Contacts;
  readonly error: string | undefined;
}

/** Numbers, or lines of a sheet with their header. */
export function PasteField({ contacts, error }: PasteFieldProps) {
  const { draft, onChange, variables } = contacts;
  const set = (pasted: string) => onChange({ ...draft, pasted });
  return (
    <Textarea
      label="Numbers"
      description={
        variables.length === 0
          ? 'One number a line, or lines of a sheet with their header.'
          : `Lines of a sheet with their header, which has a column for each variable of the agent: ${variables.join(', ')}.`
      }
      placeholder={
        variables.length === 0 ? '+1 202 555 0143\n+1 202 555 0144' : `phone,${variables.join(',')}\n+1 202 555 0143,…`
      }
      autosize
      minRows={4}
      maxRows={12}
      spellCheck={false}
      value={draft.pasted}
      onChange={(event) => set(event.currentTarget.value)}
      // Numbers alone get a header. From here on the lines are counted with it.
      onBlur={() => set(withHeader(draft.pasted))}
      error={error}
    />
  );
}
