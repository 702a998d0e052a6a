import { Button, Code, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useTypeLabel } from '../../api/metadata.ts';
import { useUser } from '../../api/session.ts';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Hint } from '../../parts/hint.tsx';
import { TextLink } from '../../parts/link.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { namedQuery, type Trace, traceQuery } from './requests.ts';
import { StepList } from './step-list.tsx';

export function HappenedPage() {
  return useUser().user.isAdmin ? <Happened /> : <NotFound />;
}

/** What happened around a request, record, batch or webhook, as one line through time. */
function Happened() {
  const t = usePageText();
  const { id = '' } = useParams({ strict: false });
  return (
    <Stack p="md" maw={960}>
      <PageTitle>{t('titles.happened')}</PageTitle>
      <IdForm key={id} id={id} />
      {id === '' ? <Examples /> : <Found id={id} />}
    </Stack>
  );
}

function IdForm({ id }: { readonly id: string }) {
  const t = usePageText();
  const navigate = useNavigate();
  const [text, setText] = useState(id);
  const given = text.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (given !== '') void navigate({ to: '/happened/$id', params: { id: given } });
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 16rem"
          label={t('happened.id')}
          description={t('happened.idText')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" disabled={given === ''}>
          {t('happened.show')}
        </Button>
      </Group>
    </form>
  );
}

/** What can be entered, and where to find it. */
function Examples() {
  const t = usePageText();
  return (
    <Panel title={t('happened.examples')}>
      <Facts
        label={t('happened.examples')}
        facts={[
          [t('happened.request'), t('happened.exampleRequest')],
          [t('happened.record'), t('happened.exampleRecord')],
          [t('happened.batch'), t('happened.exampleBatch')],
          [t('happened.webhook'), t('happened.exampleWebhook')],
        ]}
      />
    </Panel>
  );
}

/** The records that a name may mean. */
function Named({ text }: { readonly text: string }) {
  const t = usePageText();
  const typeLabel = useTypeLabel();
  const found = useQuery(namedQuery(text));
  const { data } = found;
  if (data === undefined) return <Pending query={found} height={240} />;
  if (data.length === 0) return <Empty title={t('records.noMatch')} text={t('happened.idText')} />;
  return (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label={t('search.records')}>
      {data.map(({ id, name, _scope }) => (
        <Paper key={id} component="li" withBorder p="sm" style={{ listStyle: 'none' }}>
          <TextLink to="/happened/$id" params={{ id }}>
            {name || id}
          </TextLink>
          <Text size="xs" c="dimmed">
            {typeLabel(_scope)}
          </Text>
        </Paper>
      ))}
    </Stack>
  );
}

const kinds = {
  request: 'happened.request',
  record: 'happened.record',
  batch: 'happened.batch',
  webhook: 'happened.webhook',
} as const;

function Found({ id }: { readonly id: string }) {
  const t = usePageText();
  const found = useQuery(traceQuery(id));
  const { data, error } = found;
  if (error instanceof ApiError && error.code === 'trace.not_found') return <Named text={id} />;
  if (data === undefined) return <Pending query={found} height={240} />;
  return (
    <>
      <Group gap="xs">
        <Text className="field-value">
          {t(kinds[data.kind])} <Code>{data.id}</Code>
        </Text>
        <Copy size="compact-xs" value={data.id} label={data.id} />
      </Group>
      {data.steps.length === 0 ? (
        <Paper withBorder>
          <Nothing kind={data.kind} />
        </Paper>
      ) : (
        <StepList steps={data.steps} requestId={data.kind === 'request' ? data.id : undefined} />
      )}
      <Hints trace={data} />
    </>
  );
}

function Nothing({ kind }: { readonly kind: Trace['kind'] }) {
  const t = usePageText();
  return kind === 'request' ? (
    <Empty title={t('happened.nothing')} text={t('happened.nothingText')} />
  ) : (
    <Empty title={t('happened.nothing')} text={t('happened.nothingOfWebhookText')} />
  );
}

function Hints({ trace }: { readonly trace: Trace }) {
  const t = usePageText();
  const isUntraced = trace.steps.some(({ kind, ...step }) => {
    return kind === 'event' && 'requestId' in step && step.requestId === null;
  });
  return (
    <>
      {trace.isComplete ? null : <Hint>{t('happened.incomplete')}</Hint>}
      {isUntraced ? <Hint>{t('happened.untraced')}</Hint> : null}
    </>
  );
}
