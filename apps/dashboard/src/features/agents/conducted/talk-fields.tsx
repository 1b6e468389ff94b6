import { SimpleGrid } from '@mantine/core';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { ChoiceField, KeyField, LineField, NumberField, PhrasesField, SwitchField, TextField } from './inputs.tsx';

const MS = { suffix: ' ms', step: 50 };

export function FirstMessageFields() {
  return (
    <FieldGroup title="First message" description="What the agent says when a person answers.">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ChoiceField
          path="first_speaker"
          label="Who speaks first"
          description="Also called: start speaker."
          choices={{ agent: 'The agent', callee: 'The callee' }}
        />
        <ChoiceField
          path="first_message_mode"
          label="How it is said"
          description="Also called: first message mode."
          choices={{ static: 'Word for word', generated: 'In the model’s own words' }}
        />
      </SimpleGrid>
      <TextField
        path="first_message"
        label="First message"
        description="If empty, the model finds its own. Also called: begin message, greeting."
      />
    </FieldGroup>
  );
}

export function TurnFields() {
  return (
    <FieldGroup title="Turn taking" description="When the agent talks, stops and waits.">
      <InterruptionFields />
      <EndpointingFields />
      <NoInputFields />
      <WaitingFields />
    </FieldGroup>
  );
}

function InterruptionFields() {
  return (
    <>
      <SwitchField
        path="interruption.enabled"
        label="Allow interruptions"
        description="The agent stops when the callee talks. Also called: barge-in."
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          path="interruption.min_speech_ms"
          label="Speech that interrupts"
          description="Also called: voice seconds, min duration."
          {...MS}
        />
        <NumberField
          path="interruption.min_words"
          label="Words that interrupt"
          description="0: the speech is enough. Also called: number of words."
        />
        <NumberField
          path="interruption.false_interruption_timeout_ms"
          label="Talk on after"
          description="If the callee is silent again. Also called: false interruption timeout."
          {...MS}
        />
      </SimpleGrid>
      <PhrasesField
        path="interruption.ignore_phrases"
        label="Phrases that do not interrupt"
        description="Such as “uh-huh”. Press Enter after each one. Also called: acknowledgement phrases."
      />
    </>
  );
}

function EndpointingFields() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <ChoiceField
        path="endpointing.mode"
        label="End of the callee’s turn"
        description="Also called: turn detection."
        choices={{ provider: 'The provider decides', silence: 'Silence decides' }}
      />
      <NumberField
        path="endpointing.min_delay_ms"
        label="Wait at least"
        description="Also called: wait seconds."
        {...MS}
      />
      <NumberField path="endpointing.max_delay_ms" label="Wait at most" description="Also called: max delay." {...MS} />
    </SimpleGrid>
  );
}

function NoInputFields() {
  return (
    <>
      <TextField
        path="no_input.prompt"
        label="Prompt to a silent callee"
        description="If empty, the model asks in its own words. Also called: idle message, reminder."
        minRows={1}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField path="no_input.after_ms" label="Prompt after" description="Of silence." suffix=" ms" step={500} />
        <NumberField path="no_input.times" label="Max prompts" description="Then the agent hangs up." />
      </SimpleGrid>
    </>
  );
}

function WaitingFields() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberField
        path="waiting.after_ms"
        label="Waiting phrase after"
        description="From the end of the callee’s turn."
        suffix=" ms"
        step={100}
      />
      <PhrasesField
        path="waiting.phrases"
        label="Waiting phrases"
        description="Said when an answer takes long. Also called: filler."
      />
    </SimpleGrid>
  );
}

export function MachineFields() {
  return (
    <FieldGroup title="Voicemail and call screening" description="What the agent does when no person answers.">
      <ChoiceField
        path="voicemail.action"
        label="On voicemail"
        description="Also called: voicemail detection, voicemail option."
        choices={{ hang_up: 'Hang up', leave_message: 'Leave a message' }}
      />
      <TextField
        path="voicemail.message"
        label="Voicemail message"
        description="Spoken after the beep. If empty, the model makes it."
      />
      <TextField
        path="screening_reply"
        label="Reply to call screening"
        description="Spoken when a screener asks who is calling."
      />
    </FieldGroup>
  );
}

export function OptOutFields() {
  return (
    <FieldGroup title="Opting out" description="How a callee gets on the do-not-call list.">
      <SwitchField
        path="opt_out.on_model"
        label="The callee may say so"
        description="The model has a tool for callees who ask not to be called again. Also called: opt-out, do not call."
      />
      <KeyField
        path="opt_out.key"
        label="Key that opts out"
        description="It works from the answer on, whatever the agent says."
      />
      <TextField
        path="opt_out.confirmation"
        label="Confirmation"
        description="Spoken to its end. Then the agent hangs up."
        minRows={1}
      />
    </FieldGroup>
  );
}

export function LimitFields() {
  return (
    <FieldGroup title="Limits and ending" description="How a call ends.">
      <TextField
        path="closing"
        label="Closing"
        description="The last sentence. Also called: end call message."
        minRows={1}
      />
      <PhrasesField
        path="end_call.phrases"
        label="Phrases that end the call"
        description="An answer of the agent that holds one of them is its last. Also called: end call phrases."
      />
      <SwitchField
        path="end_call.on_model"
        label="The model may end the call"
        description="With a built-in tool. Also called: end call function."
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          path="max_turns"
          label="Max turns"
          description="Of the agent. Then it says the closing and hangs up."
          placeholder="No limit"
        />
        <NumberField
          path="max_duration_seconds"
          label="Max duration"
          description="Lowers the limit of the call. Also called: max call duration."
          suffix=" s"
          step={30}
          placeholder="The call’s own limit"
        />
      </SimpleGrid>
      <LineField
        path="failure_message"
        label="Failure message"
        description="Spoken by a built-in voice when a provider fails."
      />
    </FieldGroup>
  );
}
