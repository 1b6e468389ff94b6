import { Group, Text } from '@mantine/core';

export function Brand() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" width={26} height={26} alt="" />
      <Text fw={650} size="lg" lh={1}>
        Outdial
      </Text>
    </Group>
  );
}
