import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

interface AddButtonProps {
  readonly label: string;
  /** The list is as long as it may be. */
  readonly isFull?: boolean;
  readonly onClick: () => void;
}

/** Adds an entry to a list of settings. */
export function AddButton({ label, isFull = false, onClick }: AddButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      disabled={isFull}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

/** Removes an entry; `label` names it to those who do not see the icon. */
export function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="red" aria-label={label} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
