import { Anchor, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePageText } from '../language/page-text.ts';
import { AnyValue } from '../parts/any-value.tsx';
import { Facts } from '../parts/facts.tsx';
import { DataTable } from '../parts/list/data-table.tsx';
import { type Completed, completionQuery, readReturnPath } from './single-sign-on.ts';
import { SingleSignOnError } from './single-sign-on-error.tsx';

/** The page to which providers send the browser back. It completes the sign-in and continues where it began. */
export function ProviderCallback() {
  const t = usePageText();
  const [search] = useState(location.search);
  const { data, error } = useQuery(completionQuery(search));
  const returnPath = readReturnPath();
  const isDone = data !== undefined && data.purpose !== 'test';
  useEffect(() => {
    document.title = `${t('singleSignOn.title')} · Annals`;
    // The code is of no further use, and does not belong in the history of the browser.
    history.replaceState(null, '', location.pathname);
  }, [t]);
  useEffect(() => {
    if (isDone) location.replace(returnPath);
  }, [isDone, returnPath]);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={720} radius="md">
        {error !== null ? (
          <Failure error={error} returnPath={returnPath} />
        ) : data?.purpose === 'test' ? (
          <TestResult result={data} returnPath={returnPath} />
        ) : (
          <Stack align="center" role="status">
            <Loader aria-hidden="true" />
            <Text>{t('singleSignOn.completing')}</Text>
          </Stack>
        )}
      </Paper>
    </Center>
  );
}

function Failure(props: { readonly error: unknown; readonly returnPath: string }) {
  const t = usePageText();
  return (
    <Stack>
      <Title order={1} size="h3">
        {t('singleSignOn.failed')}
      </Title>
      <SingleSignOnError error={props.error} />
      <Anchor href={props.returnPath}>{t('singleSignOn.toSignIn')}</Anchor>
    </Stack>
  );
}

/** The claims of the provider, and the user that they describe. */
function TestResult(props: { readonly result: Completed; readonly returnPath: string }) {
  const t = usePageText();
  const { claims = {}, user } = props.result;
  const shown = (value: string | null | undefined) => value ?? '–';
  return (
    <Stack>
      <Title order={1} size="h3">
        {t('singleSignOn.tested')}
      </Title>
      <Text>{t('singleSignOn.testedUser')}</Text>
      <Facts
        label={t('singleSignOn.testedUser')}
        facts={[
          [t('singleSignOn.userName'), shown(user?.userName)],
          [t('singleSignOn.firstName'), shown(user?.firstName)],
          [t('singleSignOn.lastName'), shown(user?.lastName)],
          [t('singleSignOn.emailAddress'), shown(user?.emailAddress)],
          [t('singleSignOn.teams'), shown(user?.teamsIds.join(', ') || null)],
          [t('singleSignOn.roles'), shown(user?.rolesIds.join(', ') || null)],
        ]}
      />
      <Title order={2} size="h4">
        {t('singleSignOn.claims')}
      </Title>
      <DataTable
        label={t('singleSignOn.claims')}
        minWidth={0}
        rows={Object.entries(claims)}
        keyOf={([name]) => name}
        columns={[
          { label: t('singleSignOn.claim'), show: ([name]) => name },
          { label: t('singleSignOn.value'), show: ([, value]) => <AnyValue value={value} /> },
        ]}
      />
      <Anchor href={props.returnPath}>{t('singleSignOn.toSettings')}</Anchor>
    </Stack>
  );
}
