import { readHead, type FileHead } from '@outdial/contact-files/preview';
import { CAMPAIGN_LIMITS } from '@outdial/contracts';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts';
import type { ContactsDraft } from '../draft/contacts-draft.ts';
import { mappedTo, mappingErrors } from '../draft/mapping.ts';
import { fileOfText, withHeader } from './pasted-text.ts';
import { problemWords, tryPreview, type Preview } from './preview.ts';

const PREVIEW_LINES = 10;
const MAX_MEBIBYTES = CAMPAIGN_LIMITS.fileBytes / 1_048_576;

interface ContactsInput {
  readonly draft: ContactsDraft;
  readonly onChange: (draft: ContactsDraft) => void;
  /** The file that was chosen. A page that is loaded again has none. */
  readonly chosen: File | null;
  /** Those that the agent needs. */
  readonly variables: readonly string[];
}

/** The contacts to send, as far as their first lines are read. */
export interface Contacts extends ContactsInput {
  /** What would be sent. Null: nothing is chosen yet. */
  readonly file: File | null;
  readonly head: FileHead | null;
  readonly preview: Preview | null;
  /** By the fields of the draft; `file` for the file as a whole. Empty: it can be sent. */
  readonly errors: FieldErrors;
}

interface Reading {
  readonly file: File;
  readonly head: FileHead | null;
  readonly problem: string | null;
}

/** Reads the first lines of what was chosen or pasted, and guesses which column is what. */
export function useContacts(input: ContactsInput): Contacts {
  const { draft, onChange, chosen, variables } = input;
  const text = draft.from === 'paste' ? withHeader(draft.pasted) : null;
  const file = useMemo(() => {
    if (text === null) return chosen;
    return text.trim() === '' ? null : fileOfText(text);
  }, [text, chosen]);
  const { head, problem } = useReading(file) ?? { head: null, problem: null };

  const guess = useEffectEvent(() => {
    if (head !== null) onChange(mappedTo(draft, head.header.cells, variables));
  });
  const needed = variables.join(' ');
  useEffect(() => guess(), [head, needed]);

  const { preview, errors } = useMemo(
    () => judge({ file, head, problem, draft, variables }),
    [file, head, problem, draft, variables],
  );
  return { ...input, file, head, preview, errors };
}

/** Null while nothing was read. The reading before stays until the next one is there. */
function useReading(file: File | null): Reading | null {
  const [reading, setReading] = useState<Reading | null>(null);
  useEffect(() => {
    if (file === null) return undefined;
    let isCurrent = true;
    const keep = (read: Reading) => {
      if (isCurrent) setReading(read);
    };
    readHead(file, PREVIEW_LINES).then(
      (head) => keep({ file, head, problem: null }),
      (error: unknown) => keep({ file, head: null, problem: problemWords(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return file === null ? null : reading;
}

interface Judged extends Pick<ContactsInput, 'draft' | 'variables'>, Omit<Reading, 'file'> {
  readonly file: File | null;
}

function judge({ file, head, problem, draft, variables }: Judged): Pick<Contacts, 'preview' | 'errors'> {
  if (file === null) {
    return { preview: null, errors: { file: draft.from === 'file' ? 'Choose a file' : 'Paste at least one number' } };
  }
  if (file.size > CAMPAIGN_LIMITS.fileBytes) {
    return { preview: null, errors: { file: `Must be at most ${MAX_MEBIBYTES} MiB: divide it among campaigns` } };
  }
  if (problem !== null) return { preview: null, errors: { file: problem } };
  if (head === null) return { preview: null, errors: { file: 'The file is being read' } };
  const errors = mappingErrors(draft, variables);
  if (Object.keys(errors).length > 0) return { preview: null, errors };
  const read = tryPreview(head, draft, variables);
  return read.problem === null
    ? { preview: read.preview, errors: {} }
    : { preview: null, errors: { file: read.problem } };
}
