import { Grid, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { callingPolicyQuery } from '../../shared/account/calling-policy.ts';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { Floor, InForce } from './in-force.tsx';
import { PackSources } from './pack-sources.tsx';
import { VersionList } from './version-list.tsx';
import { WhatWouldHappen } from './what-would-happen.tsx';

export function CallingHoursPage() {
  const { account_id: accountId, isOwner } = useAccount();
  const policy = useQuery(callingPolicyQuery(accountId));
  return (
    <Page
      title="Calling hours"
      description={`When your account calls people, by their own clocks, and how often.${isOwner ? '' : ' Only owners change this.'}`}
      actions={
        isOwner && (
          <LinkButton
            to="/accounts/$accountId/calling-hours/edit"
            params={{ accountId }}
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            Edit calling hours
          </LinkButton>
        )
      }
    >
      <Loaded query={policy} what="the calling hours" skeleton={<PanelSkeleton />}>
        {({ calling_policy: own, floor }) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 7.5 }}>
              <Stack gap="lg">
                <InForce policy={own} />
                {floor !== null && <Floor floor={floor} />}
                <VersionList current={own.version} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4.5 }}>
              <Stack gap="lg">
                <WhatWouldHappen />
                <PackSources />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}
