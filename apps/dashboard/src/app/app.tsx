import { MantineProvider } from '@mantine/core';

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createQueryClient } from '../shared/api/query-client.ts';
import { Notifications } from '../shared/components/notify.tsx';
import { markSignedOut } from '../shared/session/sign-out.ts';
import { createAppRouter } from './router.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const queryClient = createQueryClient(() => markSignedOut(queryClient));
const router = createAppRouter(queryClient);

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Notifications />
    </MantineProvider>
  );
}
