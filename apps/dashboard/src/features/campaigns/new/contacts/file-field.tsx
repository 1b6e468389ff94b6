import { Code, FileInput, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import classes from './contacts.module.css';

interface FileFieldProps {
  readonly file: File | null;
  readonly error: string | undefined;
  readonly onChoose: (file: File | null) => void;
  /** Those that the agent needs, each a column of the file. */
  readonly variables: readonly string[];
}

/** A file that is dropped or chosen. */
export function FileField({ file, error, onChoose, variables }: FileFieldProps) {
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onChoose(event.dataTransfer.files[0] ?? file);
      }}
    >
      <FileInput
        label="File"
        description="A CSV file of up to 256 MiB and 1,000,000 lines. Choose it, or drop it here."
        placeholder="Choose a CSV file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        leftSection={<IconUpload size={16} aria-hidden />}
        value={file}
        onChange={onChoose}
        error={error}
      />
      <Text size="xs" c="dimmed" mt="xs">
        The first line names the columns, such as <Code>{['phone', ...variables].join(',')}</Code>.
      </Text>
    </div>
  );
}
