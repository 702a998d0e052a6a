import { showWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { readDirectory } from '../read-directory.ts';
import {
  type DeadLetter,
  dropDeadLetters,
  readDeadLetters,
  sendDeadLetters,
} from '../webhooks/dead-letters.ts';
import { requireWebhook } from '../webhooks/require-webhook.ts';

export interface DeadLetterOptions {
  readonly webhook?: string;
  readonly all?: boolean;
}

export type DeadLetterAction = 'show' | 'send' | 'drop';

interface DeadLetterRequest extends DeadLetterOptions {
  readonly action: DeadLetterAction;
  /** None: all of them, or all of the webhook. */
  readonly ids: readonly string[];
}

/** `annals dead-letters list`. */
export async function listDeadLetters(
  { installation, isJson, output }: CommandContext,
  { webhook }: Pick<DeadLetterOptions, 'webhook'>,
): Promise<number> {
  const { letters, unreadable } = await withTopics(installation, (deps) =>
    readOf(deps, installation, webhook),
  );
  const list = letters.map(toSummary);
  if (isJson) output.print(JSON.stringify({ list, unreadable }));
  else for (const line of toLines(list, unreadable)) output.print(line);
  return 0;
}

/** `annals dead-letters show|send|drop`. */
export async function takeDeadLetters(
  { installation, isJson, output, confirm }: CommandContext,
  { action, ids, webhook }: DeadLetterRequest,
): Promise<number> {
  return withTopics(installation, async (deps) => {
    const { letters } = await readOf(deps, installation, webhook);
    const chosen = choose(letters, ids);
    const count = chosen.length;
    if (action === 'show') {
      for (const line of toWholes(chosen, isJson)) output.print(line);
      return 0;
    }
    if (action === 'send') await sendDeadLetters(deps, chosen);
    else {
      await confirm(`Drop ${count} dead letters? Nobody gets their events any more.`);
      await dropDeadLetters(deps, chosen);
    }
    const done = action === 'send' ? 'enqueued again' : 'dropped';
    output.print(isJson ? JSON.stringify({ [action]: count }) : `${count} dead letters ${done}.`);
    return 0;
  });
}

type TopicDeps = Parameters<typeof readDeadLetters>[0];

async function withTopics<Result>(
  { kafka, topics, log }: Installation,
  work: (deps: TopicDeps) => Promise<Result>,
): Promise<Result> {
  const connection = createKafkaConnection(kafka, log);
  try {
    return await work({ connection, topics });
  } finally {
    await connection.close();
  }
}

async function readOf(deps: TopicDeps, installation: Installation, webhook: string | undefined) {
  if (webhook !== undefined) requireWebhook(await readDirectory(installation), webhook);
  const { letters, unreadable } = await readDeadLetters(deps);
  const wanted = letters.filter(
    ({ batch }) => webhook === undefined || batch.webhookId === webhook,
  );
  return { letters: wanted, unreadable };
}

/** One that is named twice is meant once. */
function choose(letters: readonly DeadLetter[], ids: readonly string[]): readonly DeadLetter[] {
  if (ids.length === 0) return letters;
  return [...new Set(ids)].map((id) => {
    const found = letters.find(({ batch }) => batch.batchId === id);
    if (found === undefined) throw new OperatorError(`There is no dead letter ${id}.`);
    return found;
  });
}

function toSummary({ batch, reason }: DeadLetter) {
  const { batchId, webhookId, event, events, attemptsMade, enqueuedAt } = batch;
  const at = new Date(enqueuedAt).toISOString();
  return {
    id: batchId,
    webhookId,
    event,
    enqueuedAt: at,
    events: events.length,
    attemptsMade,
    reason,
  };
}

function toLines(
  list: readonly ReturnType<typeof toSummary>[],
  unreadable: number,
): readonly string[] {
  const lines = list.map(
    ({ id, webhookId, event, enqueuedAt, events, attemptsMade, reason }) =>
      `${id} ${enqueuedAt} ${webhookId} ${event}: ${events} events, ${attemptsMade} attempts, ${reason}`,
  );
  const odd = unreadable === 0 ? '' : ` ${unreadable} messages that are no batches.`;
  return [...lines, `${list.length} dead letters.${odd}`];
}

function toWholes(letters: readonly DeadLetter[], isJson: boolean): readonly string[] {
  const list = letters.map((letter) => ({
    ...toSummary(letter),
    body: showWebhookBody(letter.batch),
  }));
  return isJson ? [JSON.stringify({ list })] : list.map((one) => JSON.stringify(one, null, 2));
}
