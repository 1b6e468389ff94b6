import { NativeSelect, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import { VOICES } from '@outdial/contracts';
import { FieldGroup } from './field-group.tsx';
import { useAgentFormContext } from './form-context.ts';
import { VOICE_WORDS } from './voice-words.ts';

export function BasicFields() {
  const form = useAgentFormContext();
  return (
    <FieldGroup title="Agent" description="Its name is for you; those whom it calls never hear it.">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required withAsterisk={false} autoComplete="off" {...form.getInputProps('name')} />
        <NativeSelect
          label="Voice"
          data={VOICES.map((voice) => ({ value: voice, label: VOICE_WORDS[voice] }))}
          {...form.getInputProps('voice')}
        />
      </SimpleGrid>
      <Switch
        label="Lets itself be interrupted"
        description="It stops talking as soon as the callee does"
        {...form.getInputProps('barge_in', { type: 'checkbox' })}
      />
    </FieldGroup>
  );
}

export function SpecialFields() {
  const form = useAgentFormContext();
  return (
    <FieldGroup title="When no person answers" description="Left empty, the agent hangs up without a word.">
      <Textarea
        label="To an answering machine"
        description="Said after the beep"
        autosize
        minRows={2}
        {...form.getInputProps('voicemail_message')}
      />
      <Textarea
        label="To a call screener"
        description="Said when it asks who is calling"
        autosize
        minRows={2}
        {...form.getInputProps('screening_reply')}
      />
    </FieldGroup>
  );
}
