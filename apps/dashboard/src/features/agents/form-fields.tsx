import { NativeSelect, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import { VOICES } from '@outdial/contracts';
import { FieldGroup } from '../../shared/forms/field-group.tsx';
import { useScriptedFormContext } from './form-context.ts';
import { VOICE_WORDS } from './voice-words.ts';

export function BasicFields() {
  const form = useScriptedFormContext();
  return (
    <FieldGroup title="Agent" description="Callees never hear the agent’s name.">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required withAsterisk={false} autoComplete="off" {...form.getInputProps('name')} />
        <NativeSelect
          label="Voice"
          data={VOICES.map((voice) => ({ value: voice, label: VOICE_WORDS[voice] }))}
          {...form.getInputProps('voice')}
        />
      </SimpleGrid>
      <Switch
        label="Allow interruptions"
        description="The agent stops talking when the callee starts."
        {...form.getInputProps('barge_in', { type: 'checkbox' })}
      />
    </FieldGroup>
  );
}

export function SpecialFields() {
  const form = useScriptedFormContext();
  return (
    <FieldGroup
      title="Voicemail and call screening"
      description="If a field is empty, the agent hangs up without a message."
    >
      <Textarea
        label="Voicemail message"
        description="Spoken after the beep."
        autosize
        minRows={2}
        {...form.getInputProps('voicemail_message')}
      />
      <Textarea
        label="Reply to call screening"
        description="Spoken when a screener asks who is calling."
        autosize
        minRows={2}
        {...form.getInputProps('screening_reply')}
      />
    </FieldGroup>
  );
}
