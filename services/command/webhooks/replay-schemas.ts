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
    '`events` counts those that the user of the webhook may read today, `hidden` the others, which are not sent (for administrators and users who may read all records of the type); `read` and `total` count entries of the log. A dry run has `samples`, one that is stopped an error code as `reason`.',
};

export const startReplay = describeRoute({
  id: 'Webhook_replay',
  tag,
  summary: 'Send the events of a past time through a webhook',
  description: 'A dry run counts them and shows samples.',
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
  summary: 'Read how far a replay is',
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
  summary: 'Go on with a replay that was cancelled or is stopped',
  description: 'Where it stood: nothing is missing, and nothing comes twice.',
  parameters: ['id', replayId],
  answer: replay,
  headers: ['X-Consistency-Token'],
  errors,
});
