import { Center, Loader } from '@mantine/core';

export function PendingPage() {
  return (
    <Center mih="40vh" aria-busy="true">
      <Loader type="dots" role="img" aria-label="Loading" />
    </Center>
  );
}
