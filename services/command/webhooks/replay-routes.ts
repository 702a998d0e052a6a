import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { requireWebhook, seesHidden } from '../../../shared/domain/directory/require-webhook.ts';
import {
  replayStop,
  toWebhookReplay,
  type WebhookReplay,
  webhookReplayType,
} from '../../../shared/domain/directory/webhook-replay.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { ReplayProgress } from '../../../shared/events/replay-progress.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ofWebhook, withBody } from '../../../shared/http/describe/error-lists.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { count, flag, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { type CommandAnswer, internalCommandDefaults } from '../owner/command.ts';
import { cancelReplayCommand, resumeReplayCommand, startReplayCommand } from './replay-commands.ts';

interface ReplayReader {
  readonly actor: Actor;
  readonly webhook: RecordState;
}

type Params = { readonly id: string };
type ReplayParams = Params & { readonly replayId: string };

const MAX_LISTED = 200;
/** Maximum wait for a dry run. It is long enough for most responses to contain the result. */
const DRY_RUN_WAIT_MS = 5_000;
const POLL_MS = 100;

/** Registers the routes that start, read, cancel and resume replays of a webhook. */
export function registerReplayRoutes(server: FastifyInstance, context: CommandContext): void {
  const { authenticate, directory, readProgress } = context;
  const show = (
    replay: WebhookReplay,
    progress: ReplayProgress | undefined,
    { actor, webhook }: ReplayReader,
  ) => {
    const shown = toBody(replay, progress, replayStop(directory, replay));
    return seesHidden(actor, webhook) ? { ...shown, hidden: progress?.hidden ?? 0 } : shown;
  };

  server.post<{ Params: Params }>(
    '/api/v1/Webhook/:id/replay',
    startReplay,
    async (request, reply) => {
      const actor = await authenticate(request);
      const { id: webhookId } = request.params;
      const webhook = requireWebhook(directory, actor, webhookId);
      const period = readPeriod(requireObject(request.body));
      const command = toCommand(context, actor, { webhookId, ...period });
      const answer = await context.sender.send(startReplayCommand, command);
      void setWriteHeaders(reply, [answer]);
      const replay = toWebhookReplay(answer.state);
      const progress = period.dryRun ? await untilDone(context, replay) : undefined;
      return show(replay, progress, { actor, webhook });
    },
  );

  server.get<{ Params: Params }>('/api/v1/Webhook/:id/replays', listReplays, async (request) => {
    const actor = await readActor(context, request);
    const webhook = requireWebhook(directory, actor, request.params.id);
    const progress = await readProgress();
    const replays = directory.records(webhookReplayType).map(toWebhookReplay);
    const own = replays.filter(({ webhookId }) => webhookId === webhook.id).toReversed();
    return {
      total: own.length,
      list: own
        .slice(0, MAX_LISTED)
        .map((replay) => show(replay, progress.get(replay.id), { actor, webhook })),
    };
  });

  server.get<{ Params: ReplayParams }>(
    '/api/v1/Webhook/:id/replays/:replayId',
    readReplay,
    async (request) => {
      const { replay, ...reader } = await requireReplay(context, request);
      return show(replay, (await readProgress()).get(replay.id), reader);
    },
  );

  server.post<{ Params: ReplayParams }>(
    '/api/v1/Webhook/:id/replays/:replayId/resume',
    resumeReplay,
    async (request, reply) => {
      const { answer, ...reader } = await change(context, resumeReplayCommand, request);
      void setWriteHeaders(reply, [answer]);
      const replay = toWebhookReplay(answer.state);
      return show(replay, (await readProgress()).get(replay.id), reader);
    },
  );

  server.delete<{ Params: ReplayParams }>(
    '/api/v1/Webhook/:id/replays/:replayId',
    cancelReplay,
    async (request, reply) => {
      const { answer } = await change(context, cancelReplayCommand, request);
      return sendJson(setWriteHeaders(reply, [answer]), true);
    },
  );
}

async function requireReplay(
  context: CommandContext,
  request: FastifyRequest<{ Params: ReplayParams }>,
): Promise<ReplayReader & { readonly replay: WebhookReplay }> {
  const actor = await readActor(context, request);
  const { id, replayId } = request.params;
  const webhook = requireWebhook(context.directory, actor, id);
  const state = context.directory.record(webhookReplayType, replayId);
  const replay = state === undefined ? undefined : toWebhookReplay(state);
  if (replay?.webhookId === id) return { actor, webhook, replay };
  throw new Refusal('not_found', 'webhook.replay_not_found', 'Replay not found.');
}

async function change(
  context: CommandContext,
  definition: typeof cancelReplayCommand | typeof resumeReplayCommand,
  request: FastifyRequest<{ Params: ReplayParams }>,
): Promise<ReplayReader & { readonly answer: CommandAnswer }> {
  const { actor, webhook, replay } = await requireReplay(context, request);
  const command = { ...toCommand(context, actor, {}), id: replay.id };
  return { actor, webhook, answer: await context.sender.send(definition, command) };
}

function readPeriod(body: Readonly<Record<string, unknown>>) {
  const { dryRun = false } = body;
  const [from, to] = [readTime(body['from'], 'from'), readTime(body['to'], 'to')];
  if (typeof dryRun !== 'boolean' || from >= to) {
    const message = from >= to ? 'from must be before to.' : 'dryRun must be true or false.';
    throw new Refusal('invalid', 'webhook.replay_invalid', message);
  }
  return { from, to, dryRun };
}

function toCommand<Body extends object>(
  { directory, now, timeoutMs }: CommandContext,
  actor: Actor,
  body: Body,
) {
  const model = directory.entity('Webhook');
  if (model === undefined) throw new Error('no entity type Webhook');
  return { ...internalCommandDefaults, body, actor, model, deadline: now() + timeoutMs };
}

async function untilDone(
  { now, readProgress }: CommandContext,
  { id }: WebhookReplay,
): Promise<ReplayProgress | undefined> {
  const deadline = now() + DRY_RUN_WAIT_MS;
  for (;;) {
    const progress = (await readProgress()).get(id);
    if (progress?.isDone === true || now() > deadline) return progress;
    await sleep(POLL_MS);
  }
}

function toBody(
  replay: WebhookReplay,
  progress: ReplayProgress | undefined,
  stop: string | undefined,
) {
  const { id, webhookId, from, to, dryRun, ends } = replay;
  const done = progress?.positions.reduce((sum, { offset }) => sum + Number(offset), 0) ?? 0;
  return {
    id,
    webhookId,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    dryRun,
    ...stateOf(replay, progress, stop),
    events: progress?.events ?? 0,
    batches: progress?.batches ?? 0,
    /** `read` and `total` count entries of the log. */
    read: done,
    total: ends.reduce((sum, end) => sum + Number(end), 0),
    ...(dryRun ? { samples: progress?.samples ?? [] } : {}),
  };
}

function stateOf(
  { isCancelled }: WebhookReplay,
  progress: ReplayProgress | undefined,
  stop: string | undefined,
) {
  if (progress?.isDone === true) return { state: 'done' };
  if (isCancelled) return { state: 'cancelled' };
  return stop === undefined ? { state: 'running' } : { state: 'stopped', reason: stop };
}

const tag = 'Webhook';
const time = { ...text, examples: ['2030-01-31 10:00:00'] };
const replay = refer('schemas', 'webhookReplay');
const replayId = { name: 'replayId', in: 'path', required: true, schema: text };
const errors = [...ofWebhook, 'webhook.replay_not_found'] as const;

const webhookReplay = {
  ...objectOf({
    id: text,
    webhookId: text,
    from: text,
    to: text,
    dryRun: flag,
    state: { enum: ['running', 'done', 'cancelled', 'stopped'] },
    events: count,
    batches: count,
    read: count,
    total: count,
  }),
  description:
    '`events` counts the events that the user of the webhook may read now. `hidden` counts the others, which are not sent; only administrators and users who may read all records of the type get it. `read` and `total` count entries of the log. A dry run has `samples`; a stopped replay has an error code as `reason`.',
};

const startReplay = describeRoute({
  id: 'Webhook_replay',
  tag,
  summary: 'Send past events through a webhook',
  description: 'A dry run only counts the events and returns samples.',
  parameters: ['id'],
  body: objectOf({ from: time, to: time, dryRun: flag }, ['from', 'to']),
  schemas: { webhookReplay },
  answer: replay,
  headers: ['X-Consistency-Token'],
  errors: [...ofWebhook, ...withBody, 'webhook.replay_invalid'],
});

const listReplays = describeRoute({
  id: 'Webhook_replays',
  tag,
  summary: 'List the replays of a webhook',
  parameters: ['id', 'X-Consistency-Token'],
  answer: objectOf({
    total: { type: 'integer', minimum: -2 },
    list: { type: 'array', items: replay },
  }),
  errors: ofWebhook,
});

const readReplay = describeRoute({
  id: 'Webhook_readReplay',
  tag,
  summary: 'Read the progress of a replay',
  parameters: ['id', replayId, 'X-Consistency-Token'],
  answer: replay,
  errors,
});

const cancelReplay = describeRoute({
  id: 'Webhook_cancelReplay',
  tag,
  summary: 'Cancel a replay',
  parameters: ['id', replayId],
  answer: { const: true },
  headers: ['X-Consistency-Token'],
  errors,
});

const resumeReplay = describeRoute({
  id: 'Webhook_resumeReplay',
  tag,
  summary: 'Resume a cancelled or stopped replay',
  description: 'Continues at the position of the replay, without gaps or repetitions.',
  parameters: ['id', replayId],
  answer: replay,
  headers: ['X-Consistency-Token'],
  errors,
});
