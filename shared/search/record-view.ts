import { createHash } from 'node:crypto';
import { attachmentCondition } from '../db/sql/attachment-condition.ts';
import { rowCondition } from '../db/sql/row-condition.ts';
import { postCondition, streamCondition } from '../db/sql/stream-condition.ts';
import { columnName } from '../db/tables/read-model-names.ts';
import { levelOf } from '../domain/access/access-table.ts';
import {
  type Actor,
  accessLevel,
  mayReadAttribute,
  mayReadField,
  requireScope,
} from '../domain/access/actor.ts';
import { openedFor } from '../domain/access/opened-for.ts';
import { ownerAttributes } from '../domain/access/record-access.ts';
import { requireWebhookScope } from '../domain/directory/require-webhook.ts';
import { accessOf } from '../domain/entity/definition/entity-definition.ts';
import type { EntityModel, FindModel } from '../domain/entity/model/entity-model.ts';
import { linksOf } from '../domain/entity/model/links.ts';
import { perActorAndModel } from '../domain/entity/model/per-model.ts';
import { Refusal } from '../domain/errors.ts';
import type { Attribute } from '../domain/field/attribute.ts';

/** An actor and their view of an entity type. */
export interface Reader {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly view: RecordView;
}

/** The parts of an entity type, and of the records to which it links, that an actor may see. */
export interface RecordView {
  /** Actors with the same key see the same attributes, and their statements have the same text. */
  readonly key: string;
  readonly isVisible: (attribute: Attribute) => boolean;
  /** True if the attribute is also shown in past states, which only contain values readable in every linked record. */
  readonly isVisibleInHistory: (attribute: Attribute) => boolean;
  /** Returns SQL for the rows of an entity type, under an alias, that the actor may read; undefined for all rows. */
  readonly rows: (target: EntityModel, alias: string) => string | undefined;
  /** Returns SQL for the rows whose stream the actor may see; undefined for all rows. */
  readonly stream: (target: EntityModel, alias: string) => string | undefined;
  /** Returns SQL for the rows of an entity type whose name the actor may read; undefined for all rows, null for none. */
  readonly named: (target: EntityModel, alias: string) => string | null | undefined;
  /** Returns SQL for the readable rows of this type that lists show; undefined for all rows. */
  readonly listed: (alias: string) => string | undefined;
  /** The values to which `rows` refers: the first two parameters, if any, of a statement that begins with `withViewer`. */
  readonly viewer: readonly [] | readonly [id: string, teamIds: readonly string[]];
  /** Secrets shown to the actor in clear text. All others are never shown. */
  readonly opened: readonly string[];
  /** Administrators can read deleted records by their id. */
  readonly withDeleted: boolean;
}

/**
 * Plain parameters, so that Postgres's planner can estimate whether the actor has one record or half of all records.
 */
export const viewerExpressions = { id: '$1::text', teams: '$2::text[]' };

/** A one-row table for conditions that look up the viewer. */
export const viewerTable = `viewer as (select ${viewerExpressions.id} as id, ${viewerExpressions.teams} as teams)`;

/** Returns the placeholder of a statement's only value besides the viewer's. Statements with more values use a Binder. */
export function ownParameter({ viewer }: Pick<RecordView, 'viewer'>): string {
  return `$${viewer.length + 1}`;
}

/**
 * Wraps a statement that may contain conditions from the view. It always uses the viewer's parameters, because Postgres
 * rejects unused parameters.
 */
export function withViewer({ viewer }: Pick<RecordView, 'viewer'>, text: string): string {
  return viewer.length === 0 ? text : `with ${viewerTable} ${text}`;
}

/** Returns the actor's view. Throws if the actor may not read any records of this type. */
export function viewFor(actor: Actor, model: EntityModel, findModel: FindModel): RecordView {
  requireReadAccess(actor, model);
  return viewOf(actor, model, findModel);
}

const viewOf = perActorAndModel(buildView);

function buildView(actor: Actor, model: EntityModel, findModel: FindModel): RecordView {
  const rows = rowsFor(actor, model, findModel);
  const opened = openedFor(actor, model);
  const isVisible = (attribute: Attribute) =>
    (opened.includes(attribute.name) || !attribute.isSecret) &&
    mayReadAttribute(actor, model, attribute) &&
    isLinkedOpen(actor, attribute, findModel);
  return {
    key: keyOf(actor),
    isVisible,
    isVisibleInHistory(attribute) {
      return (
        isVisible(attribute) &&
        linkedModels(attribute, findModel).every(
          (target) =>
            rows(target, 'r') === undefined &&
            (attribute.parent === undefined || isNameOpen(actor, target)),
        )
      );
    },
    rows,
    stream: (target, alias) => streamCondition({ actor, model: target }, alias, viewerExpressions),
    named: (target, alias) => (isNameOpen(actor, target) ? rows(target, alias) : null),
    listed: (alias) => listedRows(actor, model, alias),
    viewer: needsViewer(actor, model, findModel) ? [actor.id, actor.teamIds] : [],
    opened,
    withDeleted: actor.type === 'admin',
  };
}

/** Returns the view for statements with client conditions, which may use attributes that a list does not return. */
export function viewForSearch(actor: Actor, view: RecordView): RecordView {
  return actor.type === 'admin' ? view : { ...view, viewer: [actor.id, actor.teamIds] };
}

function requireReadAccess(actor: Actor, { name, definition }: EntityModel): void {
  if (actor.type === 'admin') return;
  const access = accessOf(definition);
  if (access === 'administrators') {
    throw new Refusal('forbidden', 'access.denied', 'No read access.');
  }
  if (access === 'switch') requireWebhookScope(actor);
  else requireScope(actor, name, 'read');
}

/**
 * True if a value from the other side of a link could be read there. Names of users, teams and other directory records
 * are readable by all users, because every record shows its creator.
 */
function isLinkedOpen(actor: Actor, { through }: Attribute, findModel: FindModel): boolean {
  const target = through === undefined ? undefined : findModel(through.entityType);
  if (through === undefined || target === undefined) return true;
  const shown = target.attribute.get(through.attribute);
  if (shown === undefined || shown.name === 'name') {
    return isNameOpen(actor, target);
  }
  return mayReadAttribute(actor, target, shown);
}

function isNameOpen(actor: Actor, target: EntityModel): boolean {
  return target.definition.log === 'directory' || mayReadField(actor, target, 'name');
}

/** Returns the entity types of the records to which an attribute can refer. */
function linkedModels({ through, parent }: Attribute, findModel: FindModel) {
  const types = through === undefined ? (parent?.entityTypes ?? []) : [through.entityType];
  return types.flatMap((type) => findModel(type) ?? []);
}

function rowsFor(actor: Actor, model: EntityModel, findModel: FindModel): RecordView['rows'] {
  const rows: RecordView['rows'] = (target, alias) => {
    const isFile = target === model && target.definition.isFile === true;
    if (isFile) {
      const reader = { actor, model, findModel, rows, viewer: viewerExpressions };
      return attachmentCondition(reader, alias);
    }
    if (actor.type === 'admin') return undefined;
    if (accessOf(target.definition) === 'switch') {
      return `${alias}.${columnName(ownerAttributes(target).owner)} = ${viewerExpressions.id}`;
    }
    if (target !== model && isOpenBehindLinks(target)) return undefined;
    if (target.definition.isPost === true) {
      return postCondition({ actor, model: target, findModel }, alias, viewerExpressions);
    }
    return rowCondition({ actor, model: target, right: 'read' }, alias, viewerExpressions);
  };
  return rows;
}

/**
 * Names of users and teams in a record are readable by all users; files are readable by everyone who may read the
 * field.
 */
function isOpenBehindLinks({ definition }: EntityModel): boolean {
  return definition.log === 'directory' || definition.isFile === true;
}

/** Returns the condition for rows that lists show to non-administrators; undefined for all rows. */
function listedRows(actor: Actor, { definition }: EntityModel, alias: string): string | undefined {
  if (definition.listedOnly === undefined || actor.type === 'admin') return undefined;
  return Object.entries(definition.listedOnly)
    .map(([attribute, needed]) => {
      const column = `${alias}.${columnName(attribute)}`;
      if (needed === true) return column;
      return `${column} in (${needed.map((value) => `'${value}'`).join(', ')})`;
    })
    .join(' and ');
}

function needsViewer(actor: Actor, model: EntityModel, findModel: FindModel): boolean {
  if (actor.type === 'admin') return false;
  if (accessOf(model.definition) === 'switch' || model.definition.isFile === true) return true;
  const linked = [
    ...model.attributes.flatMap((attribute) => linkedModels(attribute, findModel)),
    // Includes types on the other side of links, because conditions may refer to them.
    ...[...linksOf(model, findModel).values()].flatMap(
      ({ entityType }) => findModel(entityType ?? '') ?? [],
    ),
  ];
  const types = [model, ...linked.filter(({ definition }) => definition.log === 'records')];
  return types.some(({ name }) =>
    (['read', 'stream'] as const).some((right) => {
      const level = accessLevel(actor, name, right);
      return level === 'own' || level === 'team';
    }),
  );
}

const keys = new WeakMap<Actor, string>();

/** Returns a key that represents everything in an actor's permissions that affects reads. */
function keyOf(actor: Actor): string {
  if (actor.type === 'admin') return 'admin';
  const known = keys.get(actor);
  if (known !== undefined) return known;
  const levels = [...actor.access.keys()].map((scope) => [
    scope,
    levelOf(actor.access, scope, 'read'),
    levelOf(actor.access, scope, 'stream'),
  ]);
  const closed = [...actor.fields].flatMap(([scope, fields]) =>
    [...fields].filter(([, { read }]) => !read).map(([field]) => `${scope}.${field}`),
  );
  const rights = JSON.stringify([levels.toSorted(), closed.toSorted()]);
  const key = createHash('sha256').update(rights).digest('hex').slice(0, 16);
  keys.set(actor, key);
  return key;
}
