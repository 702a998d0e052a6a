import { hasScope } from '../../../shared/domain/access/actor.ts';
import { hideClosed } from '../../../shared/domain/access/hide-closed.ts';
import { openedFor, showSecrets } from '../../../shared/domain/access/opened-for.ts';
import { hasRecordAccess, ownershipOf } from '../../../shared/domain/access/record-access.ts';
import { seesStream } from '../../../shared/domain/access/stream-access.ts';
import { completeBodies } from '../../../shared/domain/directory/complete-bodies.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { accessOf } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { attendeesOf } from '../../../shared/domain/entity/model/attendees-of.ts';
import { perModel } from '../../../shared/domain/entity/model/per-model.ts';
import { convertAmounts } from '../../../shared/domain/input/convert-amounts.ts';
import { ratesIn } from '../../../shared/domain/input/currency-rates.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import {
  type FollowingFacts,
  noFollowing,
  toFollowing,
} from '../../../shared/domain/stream/following.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import type { Acting, Command } from '../owner/command.ts';

type Body = Readonly<Record<string, AttributeValue>>;

/**
 * Returns true if the actor may read the record after writing it. For entity types with an on/off permission, users see
 * only their own records.
 */
export function isShown({ actor, model }: Acting, state: RecordState): boolean {
  if (accessOf(model.definition) !== 'switch') {
    return hasRecordAccess(actor, 'read', { ...state, model });
  }
  if (actor.type === 'admin') return true;
  const { ownerIds } = ownershipOf(model, state.id, state.values);
  return hasScope(actor, model.name) && ownerIds.includes(actor.id);
}

/**
 * Builds the body for a changed record. Adds the current followers, because the record's events do not contain them.
 */
export async function toBodyAsRead(
  context: CommandContext,
  command: Command,
  state: RecordState,
): Promise<Body> {
  const { model, untilReadable } = command;
  const isAsked = model.definition.hasStream === true && untilReadable;
  const facts = isAsked ? await context.readFollowing(model, state.id) : undefined;
  return withFollowing(context, command, { state, facts });
}

/** Builds the body of a new record. Its followers are known without a query. */
export function toNewBody(context: CommandContext, command: Command, state: RecordState): Body {
  const { values } = state;
  const facts = {
    attendeeIds: idsIn(values[attendeesOf(command.model).ids ?? '']),
    createdById: toText(values['createdById']),
    assignedUserId: toText(values['assignedUserId']),
    subscriptions: [],
  };
  return withFollowing(context, command, { state, facts });
}

/** Omits the follower attributes if `facts` is undefined, because the client does not wait for the database. */
function withFollowing(
  context: CommandContext,
  command: Command,
  { state, facts }: { readonly state: RecordState; readonly facts: FollowingFacts | undefined },
): Body {
  if (!isShown(command, state)) return { id: state.id };
  const body = toBody(context, command, state);
  const { actor, model } = command;
  if (model.definition.hasStream !== true) return body;
  const nameOf = (id: string) => namesIn(context.directory)('User', id);
  if (facts === undefined) {
    const { isFollowed: _, ...others } = body;
    return others;
  }
  const isOpen = seesStream(actor, model, state);
  return Object.assign(body, isOpen ? toFollowing(facts, { actor, model }, nameOf) : noFollowing);
}

function toBody(
  { directory, openSecret }: CommandContext,
  { model, actor, body: sent }: Command,
  state: RecordState,
) {
  const { values } = state;
  const written = toRecordBody(model, state, namesIn(directory));
  const body: Record<string, AttributeValue> = {
    ...convertAmounts(model, { after: written, current: null }, ratesIn(directory)),
  };
  for (const name of countedWhenRead(model)) delete body[name];
  completeBodies(model, [body], directory);
  showSecrets(body, { model, opened: openedFor(actor, model), values }, openSecret);
  return hideClosed(body, { actor, model, sent }, directory.entity);
}

/** Attributes that count linked records, which only reads compute. */
const countedWhenRead = perModel(({ fields }): readonly string[] =>
  [...fields].filter(([, { counts }]) => counts !== undefined).map(([name]) => name),
);

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
