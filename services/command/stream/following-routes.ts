import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import {
  requireStreamAccess,
  requireStreamScope,
  seesStream,
} from '../../../shared/domain/access/stream-access.ts';
import { actingUser } from '../../../shared/domain/directory/acting-user.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { subscriptionId } from '../../../shared/domain/stream/stream-subscription.ts';
import { describeRoute, hasStream } from '../../../shared/http/describe/describe-route.ts';
import { marked } from '../../../shared/http/describe/error-lists.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { keyOfStep } from '../owner/hash-request.ts';
import { readIdsToLink } from '../records/link.ts';
import { markRecord } from './mark-record.ts';
import { markCommand } from './stream-commands.ts';

type RecordParams = { readonly entity: string; readonly id: string };
type StreamRequest = FastifyRequest<{ Params: RecordParams }>;
const MAX_STARS = 500;

/** Registers the routes for following and starring records (docs/reference/stream.md#following). */
export function registerFollowingRoutes(server: FastifyInstance, context: CommandContext): void {
  for (const [mark, { set, change, summaries, ...described }] of Object.entries(marks)) {
    for (const isSet of [true, false]) {
      const method = isSet ? set : 'DELETE';
      server.route<{ Params: RecordParams }>({
        method,
        url: `/api/v1/:entity/:id/${mark}`,
        ...describeRoute({
          ...ofRecord,
          ...described,
          id: `${method.toLowerCase()}{entity}_${mark}`,
          summary: isSet ? summaries.set : summaries.remove,
        }),
        handler: async (request, reply) =>
          sendJson(setWriteHeaders(reply, await change(context, request, isSet)), true),
      });
    }
  }
}

async function follow(
  context: CommandContext,
  request: StreamRequest,
  isFollowed: boolean,
): Promise<readonly CommandAnswer[]> {
  const asked = { of: 'subscription', isSet: isFollowed };
  const { command, id } = await readMark(context, request, asked);
  const check = async () => requireSeen(context, command, id);
  return [await markRecord(command, { id, marks: { isFollowed }, check }, context)];
}

async function star(
  context: CommandContext,
  request: StreamRequest,
  isStarred: boolean,
): Promise<readonly CommandAnswer[]> {
  const { command, id } = await readMark(context, request, { of: 'star', isSet: isStarred });
  const { actor, model } = command;
  const own = subscriptionId({ entityType: model.name, recordId: id, userId: actor.id });
  const check = async () => {
    await requireSeen(context, command, id);
    if (!isStarred || (await context.countStarred(actor.id, own)) < MAX_STARS) return;
    throw new Refusal('forbidden', 'star.too_many', `At most ${MAX_STARS} records can be starred.`);
  };
  return [await markRecord(command, { id, marks: { isStarred }, check }, context)];
}

async function setFollowers(
  context: CommandContext,
  request: StreamRequest,
  isFollowed: boolean,
): Promise<readonly CommandAnswer[]> {
  const { command, id } = await readMark(context, request, { of: 'followers', isSet: isFollowed });
  const userIds = readIdsToLink(command.body);
  const checkAll = async () => {
    const record = await requireSeen(context, command, id);
    for (const user of userIds.map((userId) => followerOf(context, command.actor, userId))) {
      if (!isFollowed || seesStream(user, command.model, record)) continue;
      throw new Refusal(
        'forbidden',
        'follower.no_access',
        `User ${user.id} does not see the stream of this record.`,
      );
    }
  };
  let checked: Promise<void> | undefined;
  // Checks all users before the first of them is changed.
  const check = async () => (checked ??= checkAll());
  if (userIds.length === 0) await check();
  const answers: CommandAnswer[] = [];
  for (const userId of userIds) {
    const own = { ...command, commandId: keyOfStep(command.commandId, userId) };
    answers.push(await markRecord(own, { id, userId, marks: { isFollowed }, check }, context));
  }
  return answers;
}

/** Finds a user whose subscriptions this actor may change. */
function followerOf({ directory }: CommandContext, actor: Actor, id: string): Actor {
  const level = actor.permissions.followerManagement;
  const denied = new Refusal(
    'forbidden',
    'follower.denied',
    'Your roles do not let you change these followers.',
  );
  if (level === 'no' || level === 'own') throw denied;
  const follower = actingUser(directory, id);
  if (follower === undefined) {
    throw new Refusal(
      'not_found',
      'record.not_found',
      'At least one of these users does not exist.',
    );
  }
  if (level === 'team' && !isTeammate(actor, follower)) throw denied;
  return follower;
}

/** Returns the command of a request and the id of its record. */
async function readMark(
  context: CommandContext,
  request: StreamRequest,
  mark: { readonly of: string; readonly isSet: boolean },
): Promise<{ readonly command: Command; readonly id: string }> {
  const { id } = request.params;
  const command = await readCommand(context, request, {
    command: markCommand,
    // The hash for the Idempotency-Key includes the mark: setting and removing it are different requests.
    body: { ...requireObject(request.body ?? {}), ...mark },
    id,
  });
  return { command, id };
}

/** Returns the record. Rejects actors who do not see its stream. */
async function requireSeen(
  context: CommandContext,
  { actor, model }: Command,
  id: string,
): Promise<RecordState> {
  requireStreamScope(actor, model);
  const record = live(await context.readRecord(model, id), id);
  requireStreamAccess(actor, model, record);
  return record;
}

const ofRecord = {
  tag: '{entity}',
  parameters: ['id', 'Idempotency-Key'],
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  expand: { isFor: hasStream },
} as const;

/** Marks by the last part of the path. Each path has a route that sets the mark and a route that removes it. */
const marks = {
  subscription: {
    set: 'PUT',
    change: follow,
    summaries: {
      set: 'Follow a record of {entity}',
      remove: 'Unfollow a record of {entity}',
    },
    errors: marked,
  },
  starSubscription: {
    set: 'PUT',
    change: star,
    summaries: { set: 'Star a record of {entity}', remove: 'Unstar a record of {entity}' },
    errors: [...marked, 'star.too_many'],
  },
  followers: {
    set: 'POST',
    change: setFollowers,
    summaries: {
      set: 'Add followers to a record of {entity}',
      remove: 'Remove followers from a record of {entity}',
    },
    body: refer('schemas', 'linkedIds'),
    isBodyOptional: true,
    errors: [...marked, 'follower.denied', 'follower.no_access', 'link.ids', 'link.mass'],
  },
} as const;
