import { NativeSelect, NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { OPTIONAL_KEY_CHOICES } from '../draft/draft-parts.ts';
import { useConductedFormContext } from '../form-context.ts';

interface FieldProps {
  /** In the form, which is the path in the settings. */
  readonly path: string;
  readonly label: string;
  readonly description?: string;
}

export function LineField({ path, label, description, placeholder }: FieldProps & { readonly placeholder?: string }) {
  const form = useConductedFormContext();
  return (
    <TextInput
      label={label}
      description={description}
      placeholder={placeholder}
      autoComplete="off"
      {...form.getInputProps(path)}
    />
  );
}

export function TextField({ path, label, description, minRows = 2 }: FieldProps & { readonly minRows?: number }) {
  const form = useConductedFormContext();
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={minRows}
      maxRows={24}
      {...form.getInputProps(path)}
    />
  );
}

/** A JSON object, in a font whose brackets align. */
export function JsonField({ path, label, description }: FieldProps) {
  const form = useConductedFormContext();
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={3}
      maxRows={24}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...form.getInputProps(path)}
    />
  );
}

interface NumberFieldProps extends FieldProps {
  readonly suffix?: string;
  readonly step?: number;
  readonly placeholder?: string;
}

export function NumberField({ path, label, description, suffix, step = 1, placeholder }: NumberFieldProps) {
  const form = useConductedFormContext();
  return (
    <NumberInput
      label={label}
      description={description}
      placeholder={placeholder}
      step={step}
      min={0}
      allowDecimal={false}
      clampBehavior="none"
      {...(suffix === undefined ? {} : { suffix })}
      {...form.getInputProps(path)}
    />
  );
}

interface ChoiceFieldProps extends FieldProps {
  readonly choices: Readonly<Record<string, string>>;
}

export function ChoiceField({ path, label, description, choices }: ChoiceFieldProps) {
  const form = useConductedFormContext();
  return (
    <NativeSelect
      label={label}
      description={description}
      data={Object.entries(choices).map(([value, words]) => ({ value, label: words }))}
      {...form.getInputProps(path)}
    />
  );
}

/** A key of the phone, or none. */
export function KeyField({ path, label, description }: FieldProps) {
  const form = useConductedFormContext();
  return (
    <NativeSelect label={label} description={description} data={OPTIONAL_KEY_CHOICES} {...form.getInputProps(path)} />
  );
}

export function SwitchField({ path, label, description }: FieldProps) {
  const form = useConductedFormContext();
  return <Switch label={label} description={description} {...form.getInputProps(path, { type: 'checkbox' })} />;
}

/** Any number of phrases. Enter adds one; a phrase may have commas. */
export function PhrasesField({ path, label, description = 'Press Enter after each one.' }: FieldProps) {
  const form = useConductedFormContext();
  return (
    <TagsInput
      label={label}
      description={description}
      splitChars={[]}
      acceptValueOnBlur
      {...form.getInputProps(path)}
    />
  );
}
