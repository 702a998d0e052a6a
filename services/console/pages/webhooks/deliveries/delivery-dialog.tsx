import {
  Code,
  Group,
  Loader,
  Modal,
  Paper,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type Attempt,
  attemptsQuery,
  type Delivery,
  deliveryQuery,
  isMissing,
} from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { TextLink } from '../../../parts/link.tsx';
import { LoadError } from '../../../parts/page/load-error.tsx';
import { Time } from '../../../parts/time.tsx';
import { NextAttempt } from './next-attempt.tsx';
import { StateBadge } from './state-badge.tsx';

/** The details of a batch: its body, and the request and response of each attempt. */
export function DeliveryDialog(props: {
  readonly id: string;
  readonly deliveryId: string | undefined;
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const { id, deliveryId, onClose } = props;
  return (
    <Modal
      opened={deliveryId !== undefined}
      onClose={onClose}
      size="xl"
      title={t('webhooks.delivery', { id: deliveryId ?? '' })}
    >
      {deliveryId === undefined ? null : <Content id={id} deliveryId={deliveryId} />}
    </Modal>
  );
}

function Content({ id, deliveryId }: { readonly id: string; readonly deliveryId: string }) {
  const t = usePageText();
  const delivery = useQuery(deliveryQuery(id, deliveryId));
  const attempts = useQuery(attemptsQuery(id, deliveryId));
  const error = delivery.error ?? attempts.error;
  if (isMissing(error)) {
    return (
      <Group gap="xs" role="status">
        <Loader size="sm" />
        <Text size="sm">{t('webhooks.notStored')}</Text>
      </Group>
    );
  }
  if (error !== null) return <LoadError error={error} />;
  if (delivery.data === undefined || attempts.data === undefined) return <Skeleton h={200} />;
  return (
    <Stack>
      <NextAttempt delivery={delivery.data as Delivery} />
      <TextLink size="sm" to="/happened/$id" params={{ id: deliveryId }}>
        {t('happened.link')}
      </TextLink>
      {attempts.data.map((attempt) => (
        <AttemptPanel key={`${attempt.attempt} ${attempt.at}`} attempt={attempt} />
      ))}
      <div>
        <Title order={3} size="h6">
          {t('webhooks.body')}
        </Title>
        <Text size="sm" component="div">
          <Code block>{toLines(delivery.data.body)}</Code>
        </Text>
      </div>
    </Stack>
  );
}

function AttemptPanel({ attempt }: { readonly attempt: Attempt }) {
  const t = usePageText();
  const { status, reason, durationMs, connectMs, firstByteMs, request, response } = attempt;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between">
        <Title order={3} size="h6">
          {t('webhooks.attempt', { number: `${attempt.attempt}` })}
        </Title>
        <Group gap="xs">
          <StateBadge state={attempt.state} />
          <Text size="sm">
            <Time value={attempt.at} hasSeconds />
          </Text>
        </Group>
      </Group>
      <Hint>
        {connectMs === null || firstByteMs === null
          ? t('webhooks.took', { ms: durationMs })
          : t('webhooks.timing', { connect: connectMs, first: firstByteMs, all: durationMs })}
      </Hint>
      {request === null ? null : (
        <Message
          label={t('webhooks.request')}
          first={`POST ${request.url ?? ''}`}
          headers={request.headers}
        />
      )}
      {response === null || status === null ? (
        <Text size="sm">{t('webhooks.noResponse', { reason: reason ?? '' })}</Text>
      ) : (
        <Message
          label={t('webhooks.response')}
          first={`${status ?? ''}`}
          headers={response.headers}
          body={response.body}
        />
      )}
    </Paper>
  );
}

function Message(props: {
  readonly label: string;
  readonly first: string;
  readonly headers?: readonly (readonly string[])[] | undefined;
  readonly body?: string | undefined;
}) {
  return (
    <Stack gap={4} mt="xs">
      <Text size="sm" fw={600}>
        {props.label}: {props.first}
      </Text>
      <Table aria-label={props.label} fz="xs" verticalSpacing={2} layout="fixed">
        <Table.Tbody>
          {(props.headers ?? []).map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat, and the order is fixed
            <Table.Tr key={index}>
              <Table.Th scope="row" w="36%" className="field-value">
                {name}
              </Table.Th>
              <Table.Td className="field-value">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {props.body ? <Code block>{props.body}</Code> : null}
    </Stack>
  );
}

/** Formats a body, indented if it is JSON. */
function toLines(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(body ?? null, null, 2);
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
