import { Alert } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';

/** Instead of a page whose link arrived without its token. */
export function IncompleteLink() {
  return (
    <Alert color="orange" variant="light" icon={<IconLinkOff aria-hidden />} title="This link is incomplete">
      Open it again from the e-mail, or copy the whole link.
    </Alert>
  );
}
