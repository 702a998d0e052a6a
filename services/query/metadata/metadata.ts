import { type Actor, accessLevel, hasScope } from '../../../shared/domain/access/actor.ts';
import {
  booleanScopes,
  currencyScope,
  reducedLevels,
} from '../../../shared/domain/access/check-role.ts';
import { statusFieldOf } from '../../../shared/domain/board/board.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isWatchable } from '../../../shared/domain/directory/parse-event-name.ts';
import {
  accessOf,
  isCustomizable,
} from '../../../shared/domain/entity/definition/entity-definition.ts';
import {
  type EntityModel,
  type FindModel,
  textFilterFields,
} from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { capitalized } from '../../../shared/domain/field/attribute.ts';
import { describeField } from '../../../shared/domain/field/definition/describe-field.ts';
import type { ColumnDefinition } from '../../../shared/domain/field/types/link/link-column.ts';
import { mapValues } from '../../../shared/domain/value/map-values.ts';
import { createPlanCache } from '../rows/plan-cache.ts';
import { describedFields, isReached, linksWithin, type Reach } from './reach.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * Returns a function for the response of `GET Metadata` (docs/reference/espocrm-compatibility.md#metadata). Users other
 * than administrators see the entity types that their role includes. The response is built once per set of visible
 * types, and again after the directory changes.
 */
export function createMetadata(directory: Directory): (actor: Actor) => Tree {
  const cached = createPlanCache<Tree>(directory.revision);

  return (actor) => {
    const models = directory.entities().filter((model) => isReached(actor, model));
    const others = scopesWithoutRecords(actor);
    const key = `${models.map(({ name }) => name).join()} ${others.join()}`;
    return cached(key, () => build(models, others, directory.entity));
  };
}

/**
 * Returns the value at a path such as `entityDefs.Lead.fields.status.options`; undefined if the path does not exist.
 */
export function valueAtPath(tree: unknown, path: string): unknown {
  let value = tree;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function build(
  models: readonly EntityModel[],
  otherScopes: readonly string[],
  findModel: FindModel,
): Tree {
  const reach = new Set(models.map(({ name }) => name));
  const byName = <Value>(describe: (model: EntityModel) => Value) =>
    Object.fromEntries(models.map((model) => [model.name, describe(model)]));
  return {
    aclDefs: {},
    app: {},
    // The handler that EspoCRM's clients load, and the setting that offers passwords in addition.
    authenticationMethods: {
      Oidc: { login: { handler: 'handlers/login/oidc', fallbackConfigParam: 'oidcFallback' } },
    },
    clientDefs: Object.fromEntries(models.flatMap(namedFilters)),
    dashlets: {},
    entityAcl: {},
    entityDefs: {
      ...sharedOptions(models, reach, findModel),
      ...byName((model) => entityDefs(model, reach, findModel)),
    },
    fields: {},
    integrations: {},
    logicDefs: {},
    notificationDefs: {},
    recordDefs: {},
    scopes: {
      ...Object.fromEntries(otherScopes.map((name) => [name, scopeWithoutRecords(name)])),
      ...byName(scopeOf),
    },
    streamDefs: {},
    themes: {},
  };
}

/** Returns the names that `primaryFilter` accepts for this entity type only. */
function namedFilters({ name, definition }: EntityModel): readonly (readonly [string, Tree])[] {
  const filterList = Object.keys(definition.primaryFilters ?? {});
  return filterList.length === 0 ? [] : [[name, { filterList }]];
}

/**
 * Clients read the options of `Opportunity.leadSource` at `Lead.source`, because EspoCRM shows them to readers of
 * either type.
 */
const optionSources = [
  { reader: 'Opportunity', field: 'leadSource', source: 'Lead', sourceField: 'source' },
] as const;

function sharedOptions(models: readonly EntityModel[], reach: Reach, findModel: FindModel): Tree {
  return Object.fromEntries(
    optionSources.flatMap(({ reader, field, source, sourceField }) => {
      const isRead = models.some(({ name, fields }) => name === reader && fields.has(field));
      const shared = findModel(source)?.fields.get(sourceField);
      if (!isRead || reach.has(source) || shared === undefined) return [];
      return [[source, { fields: { [sourceField]: describeField(shared) } }]];
    }),
  );
}

function entityDefs(model: EntityModel, reach: Reach, findModel: FindModel): Tree {
  const { orderBy, order, hasVersionNumber, conversion } = model.definition;
  return {
    fields: Object.fromEntries(describedFields(model, reach)),
    links: Object.fromEntries(
      linksWithin(model, reach, findModel).map((link) => [
        link.name,
        describeLink(model, link, findModel),
      ]),
    ),
    collection: {
      orderBy,
      order,
      sortBy: orderBy,
      asc: order === 'asc',
      textFilterFields: textFilterFields(model),
    },
    ...(hasVersionNumber === true ? { optimisticConcurrencyControl: true } : {}),
    convertEntityList: conversion?.targets.filter((name) => reach.has(name)),
    convertFields: conversion && convertFields(model, reach),
    convertedStatus: conversion?.status,
  };
}

/**
 * Returns the fields that a conversion copies: for each target type, the source of each target field. The parts of an
 * address are listed separately.
 */
function convertFields({ definition, attributes }: EntityModel, reach: Reach): Tree {
  const targets = Object.entries(definition.conversion?.fields ?? {});
  const partsOf = (from: string) =>
    attributes.filter(({ field, name }) => field === from && name !== from);
  return Object.fromEntries(
    targets
      .filter(([target]) => reach.has(target))
      .map(([target, fields]) => [
        target,
        Object.fromEntries(
          Object.entries(fields).flatMap(([to, from]) =>
            from === 'address'
              ? partsOf(from).map(({ name }) => [to + name.slice(from.length), name])
              : [[to, from]],
          ),
        ),
      ]),
  );
}

function describeLink(model: EntityModel, link: EntityLink, findModel: FindModel): Tree {
  const { type, entityType } = link;
  // The definitions of possible parents list the link under this name.
  const foreign = link.foreign ?? model.fields.get(link.name)?.foreign;
  return {
    type,
    ...(entityType && { entity: entityType }),
    ...(foreign && { foreign }),
    ...(model.definition.sideLinks?.includes(link.name) && { layoutRelationshipsDisabled: true }),
    ...(isManyToMany(link, findModel) ? describeRelation(model, link) : {}),
  };
}

function isManyToMany({ type, entityType, foreign }: EntityLink, findModel: FindModel): boolean {
  const target = findModel(entityType ?? '');
  if (type !== 'hasMany' || target === undefined || foreign === undefined) return false;
  return linksOf(target, findModel).get(foreign)?.type === 'hasMany';
}

/** The relation has the same name on both sides. Columns are named as in lists seen from this side. */
function describeRelation({ name }: EntityModel, link: EntityLink): Tree {
  const { entityType = '', field, heldBy, columns } = link;
  const holder = heldBy === 'self' ? name : entityType;
  const relationName = holder.charAt(0).toLowerCase() + holder.slice(1) + capitalized(field);
  if (columns === undefined) return { relationName };
  const attributeOf = ({ attribute, foreignAttribute }: ColumnDefinition) =>
    heldBy === 'self' ? attribute : foreignAttribute;
  return {
    relationName,
    additionalColumns: mapValues(columns, (definition) => ({
      type: definition.type === 'bool' ? 'bool' : 'varchar',
      len: definition.maxLength,
      default: definition.default,
    })),
    columnAttributeMap: mapValues(columns, attributeOf),
  };
}

type Scope = Readonly<Record<string, unknown>>;

/** Returns the names of an actor's scopes without records. */
function scopesWithoutRecords(actor: Actor): readonly string[] {
  const granted = [...booleanScopes].filter((name) => hasScope(actor, name));
  const hasRates = accessLevel(actor, currencyScope, 'read') !== 'no';
  return hasRates ? [...granted, currencyScope] : granted;
}

/** Returns the metadata of a scope without records. */
function scopeWithoutRecords(name: string): Scope {
  const common = { entity: false, object: false, tab: false, stream: false, module: 'Crm' };
  const levels = reducedLevels(name);
  if (levels === undefined) return { ...common, acl: 'boolean', isCustom: false };
  return { ...common, acl: true, ...granted(levels), isCustom: false };
}

/** Returns the metadata of an entity type, except its fields and links. */
function scopeOf({ name, definition }: EntityModel): Scope {
  const { isObject, isCustom, checksDuplicates, hasStream } = definition;
  const levels = isObject ? recordLevels(definition) : reducedLevels(name);
  return {
    entity: true,
    object: isObject,
    acl: accessOf(definition) === 'switch' ? 'boolean' : accessOf(definition) !== 'administrators',
    ...granted(levels),
    stream: hasStream === true,
    tab: isObject,
    type: definition.template ?? (isObject ? 'Base' : undefined),
    module: isCustom === true ? 'Custom' : 'Crm',
    isCustom: isCustom === true,
    customizable: isCustomizable(definition),
    watchable: isWatchable(definition),
    lockable: false,
    duplicateCheck: checksDuplicates === true,
    statusField: statusFieldOf(definition),
  };
}

/** Returns, per right, the levels at which roles can grant a scope, in the form that EspoCRM's clients expect. */
function granted(levels: ReturnType<typeof reducedLevels>): Scope {
  if (levels === undefined) return {};
  const { rights, levels: all, levelsOfRight } = levels;
  return { aclActionList: rights, aclLevelList: all, aclActionLevelListMap: levelsOfRight };
}

function recordLevels({ hasStream }: EntityModel['definition']) {
  const rights = ['create', 'read', 'edit', 'delete', ...(hasStream === true ? ['stream'] : [])];
  return { rights, levels: ['all', 'team', 'own', 'no'], levelsOfRight: {} };
}
