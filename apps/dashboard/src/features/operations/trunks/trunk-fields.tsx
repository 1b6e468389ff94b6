import { Alert, NativeSelect, NumberInput, PasswordInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconKey } from '@tabler/icons-react';
import type { TrunkValues } from './trunk-form.ts';

interface TrunkFieldsProps {
  readonly form: UseFormReturnType<TrunkValues>;
  /** A password is saved. The field is empty then; a new password replaces the saved one. */
  readonly hasPassword: boolean;
  readonly canSetPasswords: boolean;
}

const COLUMNS = { base: 1, xs: 2 } as const;

export function TrunkFields({ form, hasPassword, canSetPasswords }: TrunkFieldsProps) {
  return (
    <>
      <SimpleGrid cols={COLUMNS}>
        <TextInput label="Address" placeholder="sip:trunk.example" {...form.getInputProps('uri')} />
        <NativeSelect
          label="Transport"
          data={[
            { value: 'udp', label: 'UDP' },
            { value: 'tcp', label: 'TCP' },
            { value: 'tls', label: 'TLS' },
          ]}
          {...form.getInputProps('transport')}
        />
        <NumberInput label="Channels" min={1} allowDecimal={false} {...form.getInputProps('channels')} />
        <NumberInput
          label="Calls per second"
          min={1}
          allowDecimal={false}
          {...form.getInputProps('calls_per_second')}
        />
      </SimpleGrid>
      {canSetPasswords ? (
        <SimpleGrid cols={COLUMNS}>
          <TextInput
            label="Username"
            description="Leave empty if the carrier authenticates your IP address."
            autoComplete="off"
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label="Password"
            description={hasPassword ? 'Leave empty to keep the saved password.' : 'You cannot view it later.'}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        </SimpleGrid>
      ) : (
        <Alert color="gray" icon={<IconKey aria-hidden />} title="Passwords cannot be saved yet">
          Start the API with the workers’ OUTDIAL_SECRET_KEY.
        </Alert>
      )}
      <RoutingFields form={form} />
    </>
  );
}

function RoutingFields({ form }: Pick<TrunkFieldsProps, 'form'>) {
  return (
    <>
      <SimpleGrid cols={COLUMNS}>
        <NumberInput
          label="Priority"
          description="Lower values come first."
          min={0}
          allowDecimal={false}
          {...form.getInputProps('priority')}
        />
        <NumberInput
          label="Weight"
          description="Share of calls among trunks of the same priority."
          min={0}
          allowDecimal={false}
          {...form.getInputProps('weight')}
        />
        <TextInput
          label="Caller prefixes"
          description="Comma-separated digits. Leave empty for all numbers."
          placeholder="1202, 44"
          {...form.getInputProps('caller_prefixes')}
        />
        <TextInput
          label="Outbound proxy"
          description="Send all requests here instead."
          placeholder="sip:proxy.example"
          {...form.getInputProps('outbound_proxy')}
        />
        <NativeSelect
          label="Number format"
          data={[
            { value: 'e164', label: '+12025550143' },
            { value: 'digits', label: '12025550143' },
          ]}
          {...form.getInputProps('number_format')}
        />
        <NativeSelect
          label="Codecs"
          data={[
            { value: 'PCMU,PCMA', label: 'PCMU, then PCMA' },
            { value: 'PCMA,PCMU', label: 'PCMA, then PCMU' },
            { value: 'PCMU', label: 'PCMU only' },
            { value: 'PCMA', label: 'PCMA only' },
          ]}
          {...form.getInputProps('codecs')}
        />
        <NativeSelect
          label="Health check"
          data={[
            { value: 'options', label: 'OPTIONS every 30 seconds' },
            { value: 'none', label: 'None' },
          ]}
          {...form.getInputProps('health_check')}
        />
        <NativeSelect
          label="Media source"
          description="Choose any address if the carrier uses a media proxy."
          data={[
            { value: 'sdp_host', label: 'The address in the SDP' },
            { value: 'any', label: 'Any address' },
          ]}
          {...form.getInputProps('media_source')}
        />
        <NativeSelect
          label="Transfers by agents"
          description="The carrier calls the destination, and bills it to you."
          data={[
            { value: 'none', label: 'None' },
            { value: 'numbers', label: 'To telephone numbers' },
            { value: 'any', label: 'To numbers and SIP addresses' },
          ]}
          {...form.getInputProps('transfers')}
        />
      </SimpleGrid>
      <Switch
        label="Send P-Asserted-Identity"
        description="Send the caller number in this header too."
        {...form.getInputProps('asserts_caller', { type: 'checkbox' })}
      />
    </>
  );
}
