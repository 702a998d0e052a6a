import {
  Button,
  Checkbox,
  Code,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  cancelReplay,
  type Replay,
  replaysQuery,
  resumeReplay,
  startReplay,
} from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Time } from '../../parts/time.tsx';

/** Starts replays of past events, and lists them. */
export function ReplayTab({ id }: { readonly id: string }) {
  const t = useText();
  const replays = useQuery(replaysQuery(id));
  return (
    <Stack>
      <ReplayForm id={id} />
      <Title>{t('webhooks.replays')}</Title>
      {replays.data === undefined ? (
        <Pending query={replays} height={80} />
      ) : replays.data.length === 0 ? (
        <Empty title={t('webhooks.noReplays')} text={t('webhooks.noReplaysText')} />
      ) : (
        replays.data.map((replay) => <ReplayPanel key={replay.id} replay={replay} />)
      )}
    </Stack>
  );
}

const dayMs = 86_400_000;

function ReplayForm({ id }: { readonly id: string }) {
  const t = useText();
  const [from, setFrom] = useState(() => toLocal(new Date(Date.now() - dayMs)));
  const [to, setTo] = useState(() => toLocal(new Date()));
  const [dryRun, setDryRun] = useState(true);
  const starting = useReplayChange(() =>
    startReplay(id, { from: toIso(from), to: toIso(to), dryRun }),
  );
  return (
    <Paper withBorder p="md">
      <Stack>
        <Text size="sm">{t('webhooks.replayText')}</Text>
        <ErrorAlert error={starting.error} />
        <Group align="flex-end">
          <TextInput
            label={t('webhooks.from')}
            type="datetime-local"
            step={1}
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            label={t('webhooks.to')}
            type="datetime-local"
            step={1}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </Group>
        <Checkbox
          label={t('webhooks.dryRun')}
          checked={dryRun}
          onChange={({ currentTarget }) => setDryRun(currentTarget.checked)}
        />
        <Group>
          <Button
            disabled={from === '' || to === ''}
            loading={starting.isPending}
            onClick={() => starting.mutate()}
          >
            {t('webhooks.start')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function ReplayPanel({ replay }: { readonly replay: Replay }) {
  const t = useText();
  const { webhookId, id, state, samples } = replay;
  const cancelling = useReplayChange(() => cancelReplay(webhookId, id));
  const resuming = useReplayChange(() => resumeReplay(webhookId, id));
  const percent = replay.total === 0 ? 100 : Math.round((replay.read / replay.total) * 100);
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
        </Group>
      </Stack>
    </Paper>
  );
}

function stateText({ state, reason }: Replay, t: ReturnType<typeof useText>): string {
  if (state === 'stopped') return t('webhooks.replayStopped', { reason: reason ?? '' });
  const texts = {
    running: 'webhooks.replayRunning',
    done: 'webhooks.replayDone',
    cancelled: 'webhooks.replayCancelled',
  } as const;
  return t(texts[state]);
}

function useReplayChange(change: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}

function toLocal(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

function toIso(local: string): string {
  return new Date(local).toISOString();
}
