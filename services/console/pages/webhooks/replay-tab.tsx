import { Button, Code, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  cancelReplay,
  type Replay,
  replaysQuery,
  resumeReplay,
  startReplay,
  type Webhook,
} from '../../api/webhooks.ts';
import { toUtc } from '../../language/local-time.ts';
import { usePageText } from '../../language/page-text.ts';
import { useTimeSettings } from '../../language/time-settings.ts';
import type { PageTranslate } from '../../language/translate.ts';
import { toLocalIso } from '../../language/zone-clock.ts';
import { MomentInput } from '../../parts/dates/moment-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { percentOf, useReplayChange } from './replay-progress.ts';
import { SendReplayDialog } from './send-replay-dialog.tsx';

/** Starts replays of past events, and lists them. */
export function ReplayTab({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const replays = useQuery(replaysQuery(webhook.id));
  return (
    <Stack>
      <ReplayForm webhook={webhook} replays={replays.data ?? []} />
      <Title>{t('webhooks.replays')}</Title>
      {replays.data === undefined ? (
        <Pending query={replays} height={80} />
      ) : replays.data.length === 0 ? (
        <Empty title={t('webhooks.noReplays')} text={t('webhooks.noReplaysText')} />
      ) : (
        replays.data.map((replay) => (
          <ReplayPanel key={replay.id} replay={replay} url={webhook.url ?? ''} />
        ))
      )}
    </Stack>
  );
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function ReplayForm(props: { readonly webhook: Webhook; readonly replays: readonly Replay[] }) {
  const t = usePageText();
  const { id, url } = props.webhook;
  const { timeZone } = useTimeSettings();
  // The inputs have no seconds, so the period ends with the next minute.
  const minuteAt = (ms: number) => toLocalIso(new Date(ms), timeZone).slice(0, 16);
  const [from, setFrom] = useState(() => minuteAt(Date.now() - DAY_MS));
  const [to, setTo] = useState(() => minuteAt(Date.now() + MINUTE_MS));
  const [isOpen, dialog] = useDisclosure();
  const [fromTime, toTime] = [toUtc(from, timeZone) ?? '', toUtc(to, timeZone) ?? ''];
  const count = () => startReplay(id, { from: fromTime, to: toTime, dryRun: true });
  const previewing = useReplayChange(count);
  const counting = useReplayChange(count);
  const started = counting.data;
  const counted = props.replays.find((replay) => replay.id === started?.id) ?? started;
  const isComplete = fromTime !== '' && toTime !== '';
  return (
    <Paper withBorder p="md">
      <Stack>
        <Text size="sm">{t('webhooks.replayText')}</Text>
        <ErrorAlert error={previewing.error} />
        <Group align="flex-end">
          <MomentInput kind="time" label={t('webhooks.from')} value={from} onChange={setFrom} />
          <MomentInput kind="time" label={t('webhooks.to')} value={to} onChange={setTo} />
        </Group>
        <Group>
          <Button
            disabled={!isComplete}
            loading={previewing.isPending}
            onClick={() => previewing.mutate()}
          >
            {t('webhooks.preview')}
          </Button>
          <Button
            variant="default"
            disabled={!isComplete}
            onClick={() => {
              counting.mutate();
              dialog.open();
            }}
          >
            {t('webhooks.sendDots')}
          </Button>
        </Group>
        <SendReplayDialog
          isOpen={isOpen}
          webhookId={id}
          url={url ?? ''}
          counted={counting.isPending ? undefined : counted}
          error={counting.error}
          onClose={dialog.close}
        />
      </Stack>
    </Paper>
  );
}

function ReplayPanel({ replay, url }: { readonly replay: Replay; readonly url: string }) {
  const t = usePageText();
  const { webhookId, id, state, samples } = replay;
  const cancelling = useReplayChange(() => cancelReplay(webhookId, id));
  const resuming = useReplayChange(() => resumeReplay(webhookId, id));
  const percent = percentOf(replay);
  const error = cancelling.error ?? resuming.error;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {t(replay.dryRun ? 'webhooks.replayDry' : 'webhooks.replayReal')}
            {': '}
            <Time value={replay.from} /> – <Time value={replay.to} />
          </Text>
          <Text size="sm">{stateText(replay, t)}</Text>
        </Group>
        <Progress value={percent} aria-label={t('webhooks.progress', { percent })} />
        <Text size="sm">
          {t('webhooks.progress', { percent })}
          {' · '}
          {t('webhooks.replayFound', { count: replay.events })}
          {replay.hidden ? ` · ${t('webhooks.replayHidden', { count: replay.hidden })}` : null}
        </Text>
        {samples && samples.length > 0 ? (
          <>
            <Text size="sm">{t('webhooks.samples')}</Text>
            <Code block>{JSON.stringify(samples, null, 2)}</Code>
          </>
        ) : null}
        {error === null ? null : <ErrorDetails error={error} />}
        <Group>
          {state === 'running' ? (
            <Button size="xs" variant="default" onClick={() => cancelling.mutate()}>
              {t('webhooks.cancelReplay')}
            </Button>
          ) : null}
          {!replay.dryRun && (state === 'cancelled' || state === 'stopped') ? (
            <Button size="xs" variant="default" onClick={() => resuming.mutate()}>
              {t('webhooks.resume')}
            </Button>
          ) : null}
          {replay.dryRun && state === 'done' && replay.events > 0 ? (
            <SendCounted replay={replay} url={url} />
          ) : null}
        </Group>
      </Stack>
    </Paper>
  );
}

/** Sends the events that a finished dry run has counted. */
function SendCounted({ replay, url }: { readonly replay: Replay; readonly url: string }) {
  const t = usePageText();
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {t('webhooks.sendThese')}
      </Button>
      <SendReplayDialog
        isOpen={isOpen}
        webhookId={replay.webhookId}
        url={url}
        counted={replay}
        onClose={dialog.close}
      />
    </>
  );
}

function stateText({ state, reason }: Replay, t: PageTranslate): string {
  if (state === 'stopped') return t('webhooks.replayStopped', { reason: reason ?? '' });
  const texts = {
    running: 'webhooks.replayRunning',
    done: 'webhooks.replayDone',
    cancelled: 'webhooks.replayCancelled',
  } as const;
  return t(texts[state]);
}
