import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useShortcut } from '../../shared/shortcuts/shortcuts.ts';
import { useShortcutKeys } from '../../shared/shortcuts/use-shortcut-keys.ts';

/** Loaded when first opened. */
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

/** Activates the keyboard shortcuts. `?` lists them. */
export function ShortcutsHelp() {
  const [isOpen, help] = useDisclosure(false);
  const [hasOpened, setHasOpened] = useState(false);
  useShortcutKeys();
  useShortcut('?', 'Show keyboard shortcuts', () => {
    setHasOpened(true);
    help.open();
  });
  if (!hasOpened) return null;
  return (
    <Suspense>
      <ShortcutsDialog isOpen={isOpen} onClose={help.close} />
    </Suspense>
  );
}
