import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { formatBytes } from '../words/format-bytes.ts';

interface UploadProgressProps {
  readonly file: File;
  readonly sent: number;
  readonly onStop: () => void;
}

/** How far a file is. */
export function UploadProgress({ file, sent, onStop }: UploadProgressProps) {
  const percent = file.size === 0 ? 100 : Math.min(100, Math.floor((100 * sent) / file.size));
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Sending {file.name}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Stop upload
        </Button>
      </Group>
      <Progress value={percent} aria-label="Upload" />
      <Text size="xs" c="dimmed" className="tabular">
        {percent < 100
          ? `${formatBytes(sent)} of ${formatBytes(file.size)}. Keep this page open.`
          : 'Sent. The service reads the last lines.'}
      </Text>
    </Stack>
  );
}
