import { useState } from 'react';

export interface DialogAbout<Subject> {
  readonly isOpen: boolean;
  /** Stays while the dialog fades out. Null until the dialog first opens. */
  readonly subject: Subject | null;
  readonly open: (subject: Subject) => void;
  readonly close: () => void;
}

/** A dialog about one item of many, such as a row of a table. */
export function useDialogAbout<Subject>(): DialogAbout<Subject> {
  const [state, setState] = useState<{ readonly isOpen: boolean; readonly subject: Subject | null }>({
    isOpen: false,
    subject: null,
  });
  return {
    ...state,
    open: (subject) => setState({ isOpen: true, subject }),
    close: () => setState((before) => ({ ...before, isOpen: false })),
  };
}
