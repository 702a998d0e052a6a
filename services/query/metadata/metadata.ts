import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  type FieldDefinition,
  isCustomizable,
} from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/links.ts';
import { textFilterFields } from '../../../shared/domain/entity/text-filter-fields.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * The definitions that clients build themselves on (api-facts 7.1): entity types with fields and links, scopes. Others
 * than administrators see the entity types that their role reaches. Made once per change of the directory and role.
 */
export function createMetadata(directory: Directory): (actor: Actor) => Tree {
  let known = new Map<string, Tree>();
  let revision = -1;

  return (actor) => {
    if (revision !== directory.revision()) {
      known = new Map();
      revision = directory.revision();
    }
    const models = directory.entities().filter((model) => isReached(actor, model));
    const key = models.map(({ name }) => name).join();
    const found = known.get(key) ?? build(models, directory.entity);
    known.set(key, found);
    return found;
  };
}

/** The value at a path such as `entityDefs.Lead.fields.status.options`; undefined if there is none. */
export function valueAtPath(tree: unknown, path: string): unknown {
  let value = tree;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object(value)[key];
  }
  return value;
}

/** Whether the definitions of an entity type are for this actor. */
export function isReached(actor: Actor, { name, definition }: EntityModel): boolean {
  if (definition.isInternal === true) return false;
  if (actor.type === 'admin' || name === 'Webhook') return true;
  if (definition.log === 'directory' && name !== 'User' && name !== 'Team') return false;
  return accessLevel(actor, name, 'read') !== 'no';
}

function build(models: readonly EntityModel[], findModel: FindModel): Tree {
  const byName = <Value>(describe: (model: EntityModel) => Value) =>
    Object.fromEntries(models.map((model) => [model.name, describe(model)]));
  return {
    aclDefs: {},
    app: {},
    authenticationMethods: {},
    clientDefs: {},
    dashlets: {},
    entityAcl: {},
    entityDefs: byName((model) => entityDefs(model, findModel)),
    fields: {},
    integrations: {},
    logicDefs: {},
    notificationDefs: {},
    recordDefs: {},
    scopes: byName(scope),
    streamDefs: {},
    themes: {},
  };
}

function entityDefs(model: EntityModel, findModel: FindModel): Tree {
  const { orderBy, order, hasVersionNumber } = model.definition;
  return {
    fields: Object.fromEntries(
      [...model.fields].flatMap(([name, field]) =>
        field.type === 'secret' ? [] : [[name, describeField(field)]],
      ),
    ),
    links: Object.fromEntries(
      [...linksOf(model, findModel)].map(([name, { type, entityType, foreign }]) => [
        name,
        { type, ...(entityType && { entity: entityType }), ...(foreign && { foreign }) },
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
  };
}

/** In the words that clients know; what is Annals' own stays out. */
function describeField(field: FieldDefinition): Tree {
  const { singleReadOnly: _, adminOnly: __, valueBy: ___, primaryOf: ____, ...shown } = field;
  const { entityType, type, ...others } = shown;
  const isLink = type === 'link' || type === 'linkMultiple';
  return { type, ...others, ...(isLink && entityType !== undefined ? { entity: entityType } : {}) };
}

function scope({ name, definition }: EntityModel): Tree {
  const { isObject, isCustom, checksDuplicates, hasStream } = definition;
  return {
    entity: true,
    object: isObject,
    acl: name === 'Webhook' ? 'boolean' : name !== 'Role',
    aclActionList: isObject ? aclActions(definition) : undefined,
    aclLevelList: isObject ? ['all', 'team', 'own', 'no'] : undefined,
    stream: hasStream === true,
    tab: isObject,
    module: isCustom === true ? 'Custom' : 'Crm',
    isCustom: isCustom === true,
    customizable: isCustomizable(definition),
    duplicateCheck: checksDuplicates === true,
    statusField: definition.fields['status'] ? 'status' : definition.fields['stage'] && 'stage',
  };
}

function aclActions({ hasStream }: EntityModel['definition']): readonly string[] {
  return ['create', 'read', 'edit', 'delete', ...(hasStream === true ? ['stream'] : [])];
}
