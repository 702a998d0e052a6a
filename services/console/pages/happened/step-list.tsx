import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useMetadata } from '../../api/metadata.ts';
import { Author } from '../../fields/author.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { useFormat } from '../../language/format.ts';
import { usePageText } from '../../language/page-text.ts';
import { TextLink } from '../../parts/link.tsx';
import { Time } from '../../parts/time.tsx';
import { useChangedLabels } from '../log/changed-labels.ts';
import { TypeBadge } from '../log/event-table.tsx';
import { useLoggedTypeLabel } from '../log/logged-type.ts';
import { useRecordNames } from '../log/record-names.ts';
import { methodText, reasonText } from '../system/sign-in-text.ts';
import { StateBadge } from '../webhooks/deliveries/state-badge.tsx';
import type { Step } from './requests.ts';

type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

const colors = {
  signIn: 'var(--mantine-color-grape-6)',
  event: 'var(--mantine-color-blue-6)',
  failure: 'var(--mantine-color-red-7)',
  batch: 'var(--mantine-color-gray-6)',
  attempt: 'var(--mantine-color-green-7)',
} as const;

/** The steps in the order of their time, each with the time since the first one. */
export function StepList(props: {
  readonly steps: readonly Step[];
  /** Events of this request do not link to it. */
  readonly requestId: string | undefined;
}) {
  const t = usePageText();
  const { steps, requestId } = props;
  const begin = new Date(steps[0]?.at ?? 0).getTime();
  const nameOf = useRecordNames(steps.filter((step) => step.kind === 'event'));
  return (
    <Stack component="ol" gap="xs" p={0} m={0} aria-label={t('titles.happened')}>
      {steps.map((step, index) => (
        <Paper
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id, and new ones are last
          key={index}
          component="li"
          withBorder
          p="xs"
          style={{ listStyle: 'none', borderInlineStart: `4px solid ${colors[step.kind]}` }}
        >
          <Group justify="space-between" align="flex-start" gap="xs">
            <Stack gap={2} flex="1 1 16rem" miw={0} className="field-value">
              <StepText
                step={
                  step.kind === 'event'
                    ? { ...step, name: step.name ?? nameOf(step) ?? null }
                    : step
                }
                requestId={requestId}
              />
            </Stack>
            <Text size="sm" ta="end">
              <Time value={step.at} hasSeconds /> <Since ms={new Date(step.at).getTime() - begin} />
            </Text>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

const secondMs = 1_000;
function Since({ ms }: { readonly ms: number }) {
  const t = usePageText();
  const format = useFormat();
  if (ms === 0) return null;
  const text = ms < secondMs ? t('webhooks.took', { ms }) : format.duration(ms / secondMs);
  return (
    <Text span size="xs" c="dimmed">
      +{text}
    </Text>
  );
}

function StepText(props: { readonly step: Step; readonly requestId: string | undefined }) {
  const { step } = props;
  switch (step.kind) {
    case 'event':
      return <EventText step={step} requestId={props.requestId} />;
    case 'batch':
      return <BatchText step={step} />;
    case 'attempt':
      return <AttemptText step={step} />;
    case 'signIn':
      return <SignInText step={step} />;
    case 'failure':
      return <FailureText step={step} />;
  }
}

function EventText(props: {
  readonly step: StepOf<'event'>;
  readonly requestId: string | undefined;
}) {
  const t = usePageText();
  const typeLabel = useLoggedTypeLabel();
  const labelsOf = useChangedLabels();
  const { step } = props;
  const { entityType, id, name, type, changed, changedCount, requestId } = step;
  const others = changedCount - changed.length;
  return (
    <>
      <Group gap="xs">
        <TypeBadge type={type} />
        <Text size="sm">
          {typeLabel(entityType)} <RecordOf entityType={entityType} id={id} name={name ?? id} />{' '}
          {t('happened.by')} <Author event={step} underline="always" />
        </Text>
      </Group>
      {changedCount === 0 ? null : (
        <Text size="sm" c="dimmed">
          {labelsOf(entityType, changed).join(', ')}
          {others > 0 ? ` ${t('log.andOthers', { count: others })}` : null}
        </Text>
      )}
      {requestId === null || requestId === props.requestId ? null : (
        <Text size="sm">
          {t('happened.request')} <TraceLink id={requestId} />
        </Text>
      )}
    </>
  );
}

/** Types that are not records of the business but have pages. */
const people: ReadonlySet<string> = new Set(['User', 'Team', 'Role']);

function RecordOf(props: {
  readonly entityType: string;
  readonly id: string;
  readonly name: string;
}) {
  const { entityType: entity, id, name } = props;
  const isObject = useMetadata().get(entity)?.scope.object === true;
  if (entity === 'Webhook') return <WebhookLink id={id} text={name} />;
  if (!isObject && !people.has(entity)) return <span>{name}</span>;
  return <RecordLink entity={entity} id={id} name={name} underline="always" />;
}

function BatchText({ step }: { readonly step: StepOf<'batch'> }) {
  const t = usePageText();
  const { batchId, webhookId, url, event, events, replayId } = step;
  return (
    <>
      <Group gap="xs">
        <Badge color="gray">{t('happened.batch')}</Badge>
        <Text size="sm">
          {t('happened.events', { count: events })} {event} →{' '}
          <WebhookLink id={webhookId} text={url ?? webhookId} />
        </Text>
      </Group>
      <Text size="sm">
        <TextLink
          inherit
          underline="always"
          to="/webhooks/$id"
          params={{ id: webhookId }}
          search={{ tab: 'deliveries', delivery: batchId }}
        >
          {batchId}
        </TextLink>
        {replayId === null ? null : `, ${t('happened.replay')} ${replayId}`}
      </Text>
    </>
  );
}

function AttemptText({ step }: { readonly step: StepOf<'attempt'> }) {
  const t = usePageText();
  const { number, outcome, status, reason, durationMs, url, webhookId } = step;
  const response = status === null ? (reason ?? '') : `${status}`;
  return (
    <>
      <Group gap="xs">
        <StateBadge state={outcome} />
        <Text size="sm">
          {t('webhooks.attempt', { number: `${number}` })}: {response},{' '}
          {t('webhooks.took', { ms: durationMs })}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {url ?? webhookId}
      </Text>
    </>
  );
}

function SignInText({ step }: { readonly step: StepOf<'signIn'> }) {
  const t = usePageText();
  const { userName, byId, method, address, reason } = step;
  return (
    <Group gap="xs">
      <Badge color={reason === null ? 'green' : 'red'}>
        {t(reason === null ? 'system.signedIn' : 'system.refused')}
      </Badge>
      <Text size="sm">
        {[
          userName ?? byId,
          address,
          methodText(method, t),
          reason === null ? null : reasonText(reason, t),
        ]
          .filter((one) => one !== null)
          .join(', ')}
      </Text>
    </Group>
  );
}

function FailureText({ step }: { readonly step: StepOf<'failure'> }) {
  const { method, path, status, reason } = step;
  return (
    <>
      <Group gap="xs">
        <Badge color="red">{status}</Badge>
        <Text size="sm">
          {method} {path}
        </Text>
      </Group>
      <Text size="sm">{reason}</Text>
    </>
  );
}

function WebhookLink({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <TextLink inherit underline="always" to="/webhooks/$id" params={{ id }}>
      {text}
    </TextLink>
  );
}

function TraceLink({ id }: { readonly id: string }) {
  return (
    <TextLink inherit underline="always" to="/happened/$id" params={{ id }}>
      {id}
    </TextLink>
  );
}
