import { accessOf } from '../entity/definition/entity-definition.ts';
import type { EntityModel, FindModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { type AccessLevel, allRights, betterLevel, isLevel } from './access-table.ts';
import { toObject } from './to-object.ts';

/** Scopes that are granted or not, without levels. */
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
 * Scopes with fewer levels, by right (docs/reference/access.md#scopes-and-levels). Other rights do not exist there.
 */
const reduced: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  User: { create: ['no'], read: recordLevels, edit: ['own', 'no'], delete: ['no'] },
  Currency: { read: switches, edit: switches },
  Team: { create: ['no'], read: ['all', 'team', 'no'], edit: ['no'], delete: ['no'] },
};

/**
 * The rights of a scope with fewer levels, all levels that they have, and by right those of what has fewer than that;
 * undefined for other scopes.
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

/** Refuses a role whose `data` or `fieldData` names what does not exist. The message says what. */
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
 * Refuses the `data` of a role that lets somebody change or follow what it does not let them read: they would learn of it
 * by what they do. What is malformed is for `checkRole`.
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

/** Refuses levels that no role may have in a scope with records, which need not be there yet. */
export function requireLevels(scope: string, access: unknown): void {
  checkLevels(scope, access);
  requireReadLevels({ [scope]: access });
}

function toLevel(value: unknown): AccessLevel {
  return isLevel(value) ? value : 'no';
}

function checkScope(scope: string, access: unknown, model: EntityModel | undefined): void {
  if (booleanScopes.has(scope)) {
    if (typeof access !== 'boolean') throw badRole(`Scope *${scope}* has to be true or false.`);
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

/** Scopes that roles cannot grant: those of administrators, and those that are the same for everybody. */
function isClosed({ definition }: EntityModel): boolean {
  return definition.isInternal === true || !['levels', 'switch'].includes(accessOf(definition));
}

function entriesOf(value: unknown, what: string): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRole(`*${what}* has to be an object.`);
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
