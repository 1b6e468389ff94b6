import { Button, Group } from '@mantine/core';

interface DialogButtonsProps {
  /** The action: `Add number`. */
  readonly label: string;
  readonly isPending: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of a dialog's form. */
export function DialogButtons({ label, isPending, onCancel }: DialogButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={isPending}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {label}
      </Button>
    </Group>
  );
}
