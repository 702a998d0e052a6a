import { accessOf } from '../entity/definition/entity-definition.ts';
import type { EntityModel, FindModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import { type AttributeValues, toObject } from '../value/attribute-values.ts';
import { type AccessLevel, allRights, betterLevel, isLevel } from './access-table.ts';

/** Scopes that are either granted or not; they have no levels. */
export const booleanScopes: ReadonlySet<string> = new Set([
  'Activities',
  'Calendar',
  'EmailAccountScope',
  'ExternalAccount',
  'GlobalStream',
  'Import',
  'OpenApi',
  'Webhook',
  'WorkingTimeCalendar',
]);

/** The scope of currency rates. It has no records. */
export const currencyScope = 'Currency';

const recordLevels = ['all', 'team', 'own', 'no'];
const switches = ['yes', 'no'];
/**
 * Levels per right, for scopes that support fewer rights or levels than usual
 * (docs/reference/access.md#scopes-and-levels).
 */
const reduced: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  User: { create: ['no'], read: recordLevels, edit: ['own', 'no'], delete: ['no'] },
  Currency: { read: switches, edit: switches },
  Team: { create: ['no'], read: ['all', 'team', 'no'], edit: ['no'], delete: ['no'] },
};

/**
 * Returns the rights of a scope with reduced levels, the union of their levels, and the levels of each right that has
 * fewer; undefined for other scopes.
 */
export function reducedLevels(scope: string) {
  const own = Object.hasOwn(reduced, scope) ? reduced[scope] : undefined;
  if (own === undefined) return undefined;
  const rights = Object.keys(own).filter((right) => own[right]?.some((level) => level !== 'no'));
  const levels = [...new Set(rights.flatMap((right) => own[right] ?? []))];
  const fewer = rights.filter((right) => own[right]?.length !== levels.length);
  return {
    rights,
    levels,
    levelsOfRight: Object.fromEntries(fewer.map((right) => [right, own[right] ?? []])),
  };
}

/** Throws if a role's `data` or `fieldData` names an unknown scope, right, level or field. */
export function checkRole({ data, fieldData }: AttributeValues, findModel: FindModel): void {
  for (const [scope, access] of entriesOf(data, 'data'))
    checkScope(scope, access, findModel(scope));
  for (const [scope, fields] of entriesOf(fieldData, 'fieldData')) {
    const model = findModel(scope);
    if (model === undefined || isClosed(model)) throw badRole(`Scope *${scope}* is not allowed.`);
    for (const [field, rights] of entriesOf(fields, scope)) checkField(model, field, rights);
  }
}

/**
 * Throws if a role's `data` grants edit, delete or stream beyond the read level, because users would otherwise learn
 * about records that they may not read. `checkRole` rejects malformed data.
 */
export function requireReadLevels(data: unknown): void {
  for (const [scope, access] of Object.entries(toObject(data))) {
    const levels = toObject(access);
    const read = toLevel(levels['read']);
    for (const right of ['edit', 'delete', 'stream'] as const) {
      const level = toLevel(levels[right]);
      if (betterLevel(read, level) === read) continue;
      throw badRole(
        `Level *${level}* of *${scope}*, *${right}* exceeds *${read}* of *read*: raise *read* to *${level}*, or lower *${right}*.`,
      );
    }
  }
}

/** Throws if the levels are invalid for a scope with records. The entity type does not have to exist yet. */
export function requireLevels(scope: string, access: unknown): void {
  checkLevels(scope, access);
  requireReadLevels({ [scope]: access });
}

function toLevel(value: unknown): AccessLevel {
  return isLevel(value) ? value : 'no';
}

function checkScope(scope: string, access: unknown, model: EntityModel | undefined): void {
  if (booleanScopes.has(scope)) {
    if (typeof access !== 'boolean') throw badRole(`Scope *${scope}* must be true or false.`);
    return;
  }
  if (scope !== currencyScope && (model === undefined || isClosed(model)))
    throw badRole(`Scope *${scope}* is not allowed.`);
  if (access !== false) checkLevels(scope, access);
}

function checkLevels(scope: string, access: unknown): void {
  for (const [right, level] of entriesOf(access, scope)) {
    const allowed = levelsOf(scope, right);
    if (allowed === undefined) throw badRole(`Action *${right}* of *${scope}* is not allowed.`);
    if (typeof level !== 'string' || !allowed.includes(level)) {
      throw badRole(`Level of *${scope}*, *${right}* is not allowed.`);
    }
  }
}

function levelsOf(scope: string, right: string): readonly string[] | undefined {
  const own = Object.hasOwn(reduced, scope) ? reduced[scope] : undefined;
  if (own !== undefined) return Object.hasOwn(own, right) ? own[right] : undefined;
  if (!allRights.some((known) => known === right)) return undefined;
  return right === 'create' ? switches : recordLevels;
}

function checkField(model: EntityModel, field: string, rights: unknown): void {
  if (!model.fields.has(field))
    throw badRole(`Field *${field}* of *${model.name}* does not exist.`);
  for (const [right, level] of entriesOf(rights, field)) {
    const isKnown = (right === 'read' || right === 'edit') && (level === 'yes' || level === 'no');
    if (!isKnown) throw badRole(`Level of field *${field}*, *${right}* is not allowed.`);
  }
}

/** True for scopes that roles cannot grant: administrator-only scopes, and scopes that are the same for all users. */
function isClosed({ definition }: EntityModel): boolean {
  return definition.isInternal === true || !['levels', 'switch'].includes(accessOf(definition));
}

function entriesOf(value: unknown, what: string): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRole(`*${what}* must be an object.`);
  }
  return Object.entries(value);
}

function badRole(sentence: string): Refusal {
  return new Refusal(
    'invalid',
    'role.invalid',
    `Bad data. ${sentence}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200),
  );
}
