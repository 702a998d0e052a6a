import { counted } from '../../../shared/domain/counted.ts';
import { showWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import { urlOfWebhook, withUrl } from '../../../shared/installation/webhook-name.ts';
import { withKafka } from '../../../shared/kafka/connection.ts';
import { fetchCommonVersions } from '../../../shared/kafka/group/agree-on-versions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { readDirectory } from '../read-directory.ts';
import {
  dropDeadLetters,
  readBatches,
  readDeadLetters,
  sendDeadLetters,
} from '../webhooks/dead-letters.ts';
import { requireKnownWebhook } from '../webhooks/require-webhook.ts';

export interface DeadLetterOptions {
  readonly webhook?: string;
  readonly all?: boolean;
}

export type DeadLetterAction = 'show' | 'send' | 'drop';

interface DeadLetterRequest extends DeadLetterOptions {
  readonly action: DeadLetterAction;
  /** Empty: all dead letters, or all of the webhook. */
  readonly ids: readonly string[];
}

/** `annals dead-letters list`. */
export async function listDeadLetters(
  { installation, printResult }: CommandContext,
  { webhook }: Pick<DeadLetterOptions, 'webhook'>,
): Promise<void> {
  const { letters, unreadable } = await withTopics(installation, (deps) =>
    readOf(deps, installation, webhook),
  );
  const list = letters.map(toSummary);
  printResult({ list, unreadable }, toLines(list, unreadable));
}

/** `annals dead-letters show|send|drop`. */
export async function takeDeadLetters(
  { installation, printResult, confirm }: CommandContext,
  { action, ids, webhook }: DeadLetterRequest,
): Promise<void> {
  return withTopics(installation, async (deps) => {
    const { letters } = await readOf(deps, installation, webhook);
    const chosen = choose(letters, ids);
    const count = chosen.length;
    if (action === 'show') {
      const list = await readWhole(deps, chosen);
      printResult(
        { list },
        list.map((one) => JSON.stringify(one, null, 2)),
      );
      return;
    }
    if (action === 'send') await sendDeadLetters(deps, chosen);
    else {
      await confirm(`Drop ${counted(count, 'dead letter')}? Their events will not be delivered.`);
      await dropDeadLetters(deps, chosen);
    }
    const done = action === 'send' ? 'enqueued again' : 'dropped';
    printResult({ [action]: count }, [`${counted(count, 'dead letter')} ${done}.`]);
  });
}

type LocatedLetter = Awaited<ReturnType<typeof readOf>>['letters'][number];
type TopicDeps = Parameters<typeof readDeadLetters>[0];

async function withTopics<Result>(
  installation: Installation,
  work: (deps: TopicDeps) => Promise<Result>,
): Promise<Result> {
  const { kafka, topics, log } = installation;
  const versions = await fetchCommonVersions(installation);
  return withKafka({ kafka: { ...kafka, versions: () => versions }, log }, (connection) =>
    work({ connection, topics }),
  );
}

async function readOf(deps: TopicDeps, installation: Installation, webhook: string | undefined) {
  const directory = await readDirectory(installation);
  if (webhook !== undefined) requireKnownWebhook(directory, webhook);
  const { letters, unreadable } = await readDeadLetters(deps);
  const wanted = letters.filter(
    ({ batch }) => webhook === undefined || batch.webhookId === webhook,
  );
  const located = wanted.map((letter) => ({
    ...letter,
    url: urlOfWebhook(directory, letter.batch.webhookId),
  }));
  return { letters: located, unreadable };
}

/** Duplicate ids count once. */
function choose(
  letters: readonly LocatedLetter[],
  ids: readonly string[],
): readonly LocatedLetter[] {
  if (ids.length === 0) return letters;
  return [...new Set(ids)].map((id) => {
    const found = letters.find(({ batch }) => batch.batchId === id);
    if (found === undefined) throw new OperatorError(`Dead letter ${id} does not exist.`);
    return found;
  });
}

function toSummary({ batch, reason, url }: LocatedLetter) {
  const { batchId, webhookId, event, eventCount, attemptsMade, enqueuedAt } = batch;
  const at = new Date(enqueuedAt).toISOString();
  return {
    id: batchId,
    webhookId,
    url,
    event,
    enqueuedAt: at,
    events: eventCount,
    attemptsMade,
    reason,
  };
}

function toLines(
  list: readonly ReturnType<typeof toSummary>[],
  unreadable: number,
): readonly string[] {
  const lines = list.map(
    ({ id, webhookId, url, event, enqueuedAt, events, attemptsMade, reason }) =>
      `${id} ${enqueuedAt} ${withUrl(webhookId, url)} ${event}: ${counted(events, 'event')}, ${counted(attemptsMade, 'attempt')}, ${reason}`,
  );
  const odd = unreadable === 0 ? '' : ` ${counted(unreadable, 'message')} cannot be decoded.`;
  return [...lines, `${counted(list.length, 'dead letter')}.${odd}`];
}

/** Everything that is shown is in memory. */
const MAX_SHOWN_BYTES = 64 * 1024 * 1024;

async function readWhole(deps: TopicDeps, letters: readonly LocatedLetter[]) {
  if (letters.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_SHOWN_BYTES) {
    throw new OperatorError(
      'These dead letters exceed 64 MiB: show them with several commands, each with some of the ids.',
    );
  }
  const bodies = new Map<string, unknown>();
  await readBatches(deps, letters, async (batch) => {
    bodies.set(batch.batchId, showWebhookBody(batch));
  });
  return letters.map((letter) => ({
    ...toSummary(letter),
    body: bodies.get(letter.batch.batchId) ?? null,
  }));
}
