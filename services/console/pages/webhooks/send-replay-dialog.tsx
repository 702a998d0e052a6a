import { Modal, Progress, Stack, Text } from '@mantine/core';
import { type Replay, startReplay } from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { DialogActions } from '../../parts/dialog.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { percentOf, useReplayChange } from './replay-progress.ts';

interface Props {
  readonly webhookId: string;
  readonly url: string;
  /** The dry run that counts the events; undefined until it has started. */
  readonly counted: Replay | undefined;
  /** Why the dry run could not start. */
  readonly error?: unknown;
  readonly onClose: () => void;
}

/** Sends the events that a dry run has counted, after the user has confirmed their number. */
export function SendReplayDialog({ isOpen, ...props }: Props & { readonly isOpen: boolean }) {
  const t = usePageText();
  return (
    <Modal opened={isOpen} onClose={props.onClose} title={t('webhooks.sendEventsTitle')}>
      <Question {...props} />
    </Modal>
  );
}

function Question({ webhookId, url, counted, error = null, onClose }: Props) {
  const t = usePageText();
  const sending = useReplayChange(
    async () =>
      counted &&
      startReplay(webhookId, { from: counted.from, to: counted.to, dryRun: false }).then(onClose),
  );
  const count = counted?.state === 'done' ? counted.events : undefined;
  return (
    <Stack>
      <ErrorAlert error={error ?? sending.error} />
      {error === null ? <Counted url={url} counted={counted} /> : null}
      <DialogActions
        label={
          count === undefined || count === 0
            ? t('webhooks.send')
            : t('webhooks.sendEvents', { count })
        }
        isDisabled={count === undefined || count === 0}
        isPending={sending.isPending}
        onAct={() => sending.mutate()}
        onCancel={onClose}
      />
    </Stack>
  );
}

function Counted({ url, counted }: Pick<Props, 'counted' | 'url'>) {
  const t = usePageText();
  if (counted === undefined || counted.state === 'running') {
    return (
      <div role="status">
        <Text size="sm">{t('webhooks.counting')}</Text>
        <Progress
          mt="xs"
          value={counted === undefined ? 0 : percentOf(counted)}
          aria-label={t('webhooks.counting')}
        />
      </div>
    );
  }
  if (counted.state !== 'done') return <Text size="sm">{t('webhooks.countStopped')}</Text>;
  if (counted.events === 0) return <Text size="sm">{t('webhooks.noEvents')}</Text>;
  return (
    <Text size="sm" className="field-value">
      {t('webhooks.sendEventsText', { count: counted.events, url })} <Time value={counted.from} /> –{' '}
      <Time value={counted.to} />
    </Text>
  );
}
