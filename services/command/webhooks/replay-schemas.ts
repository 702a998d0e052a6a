import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ofWebhook, withBody } from '../../../shared/http/describe/error-lists.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { count, flag, objectOf, text } from '../../../shared/http/describe/schemas.ts';

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

export const startReplay = describeRoute({
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

export const listReplays = describeRoute({
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

export const readReplay = describeRoute({
  id: 'Webhook_readReplay',
  tag,
  summary: 'Read the progress of a replay',
  parameters: ['id', replayId, 'X-Consistency-Token'],
  answer: replay,
  errors,
});

export const cancelReplay = describeRoute({
  id: 'Webhook_cancelReplay',
  tag,
  summary: 'Cancel a replay',
  parameters: ['id', replayId],
  answer: { const: true },
  headers: ['X-Consistency-Token'],
  errors,
});

export const resumeReplay = describeRoute({
  id: 'Webhook_resumeReplay',
  tag,
  summary: 'Resume a cancelled or stopped replay',
  description: 'Continues at the position of the replay, without gaps or repetitions.',
  parameters: ['id', replayId],
  answer: replay,
  headers: ['X-Consistency-Token'],
  errors,
});
