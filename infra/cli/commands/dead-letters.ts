import { buildWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import {
  type DeadLetter,
  dropDeadLetters,
  readDeadLetters,
  sendDeadLetters,
} from '../webhooks/dead-letters.ts';

export interface DeadLetterOptions {
  readonly webhook?: string;
  readonly all?: boolean;
}

export const deadLetterActions = ['list', 'show', 'send', 'drop'] as const;
export type DeadLetterAction = (typeof deadLetterActions)[number];

interface DeadLetterRequest extends DeadLetterOptions {
  readonly action: DeadLetterAction;
  readonly ids: readonly string[];
}

/** `annals dead-letters list|show|send|drop`. */
export async function deadLetters(
  context: CommandContext,
  request: DeadLetterRequest,
): Promise<number> {
  const { kafka, topics, log } = context.installation;
  const connection = createKafkaConnection(kafka, log);
  try {
    const lines = await carryOut({ connection, topics }, request, context.isJson);
    for (const line of lines) context.output.print(line);
    return 0;
  } finally {
    await connection.close();
  }
}

/** What is to be printed. */
async function carryOut(
  deps: Parameters<typeof readDeadLetters>[0],
  request: DeadLetterRequest,
  isJson: boolean,
): Promise<readonly string[]> {
  const { action, webhook } = request;
  const { letters, unreadable } = await readDeadLetters(deps);
  const ofWebhook = letters.filter(
    ({ batch }) => webhook === undefined || batch.webhookId === webhook,
  );
  if (action === 'list') {
    const list = ofWebhook.map(toSummary);
    return isJson ? [JSON.stringify({ list, unreadable })] : toLines(list, unreadable);
  }
  const chosen = choose(ofWebhook, request);
  if (action === 'show') return chosen.map((letter) => toText(letter, isJson));
  if (action === 'send') await sendDeadLetters(deps, chosen);
  else await dropDeadLetters(deps, chosen);
  const count = chosen.length;
  const done = action === 'send' ? 'enqueued again' : 'dropped';
  return [isJson ? JSON.stringify({ [action]: count }) : `${count} dead letters ${done}.`];
}

function choose(
  letters: readonly DeadLetter[],
  { ids, all, webhook }: DeadLetterRequest,
): readonly DeadLetter[] {
  if (ids.length === 0 && (all === true || webhook !== undefined)) return letters;
  if (ids.length === 0) {
    throw new OperatorError(
      'Name dead letters by their ids, or all of them with --all or --webhook.',
    );
  }
  return ids.map((id) => {
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

function toText(letter: DeadLetter, isJson: boolean): string {
  const body = JSON.parse(buildWebhookBody(letter.batch).toString('utf8'));
  return JSON.stringify({ ...toSummary(letter), body }, null, isJson ? undefined : 2);
}
