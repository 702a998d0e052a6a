import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FindingRemedy, findingsQuery, retryRejected } from '../../../api/system.ts';
import { changeWebhook, runQueue } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { RedeliverDeadButton } from '../../webhooks/deliveries/redeliver-dead-button.tsx';

/** The server may return findings of the time before the remedy for this long. */
const keptMs = 11_000;

interface Props {
  readonly remedy: FindingRemedy;
  /** True next to the name of its subject, which the label then omits. */
  readonly isNextToName?: boolean;
}

/** A button that carries out a remedy that is one request. */
export function RemedyButton({ remedy, isNextToName = false }: Props) {
  const t = usePageText();
  const { action, id = '', name = '' } = remedy;
  const refetch = useRefetchFindings();
  switch (action) {
    case 'activateWebhook':
      return (
        <ActionButton
          label={t('system.activateWebhook')}
          of={name}
          isShort={isNextToName}
          act={() => changeWebhook(id, { isActive: true })}
        />
      );
    case 'redeliverDead':
      return (
        <RedeliverDeadButton
          id={id}
          of={name}
          isShort={isNextToName}
          size="compact-sm"
          onDone={refetch}
        />
      );
    case 'retryEntry':
      return (
        <ActionButton
          label={t('log.retry')}
          of={name}
          isShort={isNextToName}
          act={() => retryEntry(id)}
        />
      );
    case 'processQueue':
      return <ActionButton label={t('webhooks.runQueue')} of="" act={runQueue} />;
    default:
      // A remedy of a later version.
      return null;
  }
}

async function retryEntry(id: string): Promise<void> {
  const { released, reason } = await retryRejected(id);
  if (!released) throw new Error(reason ?? '');
}

function ActionButton(props: {
  readonly label: string;
  /** Distinguishes several such buttons on one page; empty if there is only one. */
  readonly of: string;
  readonly isShort?: boolean;
  readonly act: () => Promise<unknown>;
}) {
  const t = usePageText();
  const { label, of, isShort = false } = props;
  const named = of === '' ? label : `${label}: ${of}`;
  const refetch = useRefetchFindings();
  const acting = useMutation({
    mutationFn: props.act,
    onSuccess: () => {
      notifications.show({ message: t('system.remedyDone') });
      refetch();
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      maw="100%"
      aria-label={named}
      loading={acting.isPending}
      onClick={() => acting.mutate()}
    >
      {isShort ? label : named}
    </Button>
  );
}

function useRefetchFindings(): () => void {
  const queries = useQueryClient();
  return () => {
    setTimeout(() => void queries.invalidateQueries(findingsQuery), keptMs);
  };
}
