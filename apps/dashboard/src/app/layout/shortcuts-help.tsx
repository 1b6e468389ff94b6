import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useShortcut } from '../../shared/shortcuts/shortcuts.ts';
import { useShortcutKeys } from '../../shared/shortcuts/use-shortcut-keys.ts';

/** Loaded when somebody asks for it. */
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

/** Makes shortcuts work, and shows on `?` which there are. */
export function ShortcutsHelp() {
  const [isOpen, help] = useDisclosure(false);
  const [wasOpen, setWasOpen] = useState(false);
  useShortcutKeys();
  useShortcut('?', 'Show keyboard shortcuts', () => {
    setWasOpen(true);
    help.open();
  });
  if (!wasOpen) return null;
  return (
    <Suspense>
      <ShortcutsDialog isOpen={isOpen} onClose={help.close} />
    </Suspense>
  );
}
