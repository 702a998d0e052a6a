import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  buildEntityModel,
  type EntityModel,
} from '../../../shared/domain/entity/model/entity-model.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-types.ts';
import { isReached, type Reach } from '../metadata/reach.ts';
import type { Described } from './expand-routes.ts';
import { buildOpenApi } from './openapi-document.ts';
import { type DescribedRoutes, type RoutesDocument, readRoutes } from './route-templates.ts';

/** The part of the document that a client requests (docs/reference/api.md#the-whole-api). */
export interface OpenApiChoice {
  /** Omits custom entity types and fields. */
  readonly skipCustom: boolean;
  /** Omits the entity types of other modules. */
  readonly module: 'Crm' | 'Custom' | undefined;
}

/** The document depends on the entity types that a role includes. Few variants are in use at the same time. */
const MAX_TEXTS = 4;

/**
 * Creates a function that returns the OpenAPI document as text, with the entity types that the actor's role includes. The
 * document is generated from the registered routes on demand, and cached until a definition changes.
 */
export function createDescribeOpenApi(
  directory: Pick<Directory, 'entities'>,
  readDocument: () => RoutesDocument,
) {
  let routes: DescribedRoutes | undefined;
  let described: readonly EntityModel[] = [];
  const texts = new Map<string, Promise<string>>();

  async function write(described: Described): Promise<string> {
    routes ??= readRoutes(readDocument());
    return JSON.stringify(await buildOpenApi(routes, described), null, 2);
  }

  return async (actor: Actor, choice: OpenApiChoice): Promise<string> => {
    const models = directory.entities();
    if (!isSame(models, described)) texts.clear();
    described = models;
    const reached = models.filter((model) => isReached(actor, model));
    const names = reached.filter((model) => isChosen(model, choice)).map(({ name }) => name);
    const reach: Reach = new Set(reached.map(({ name }) => name));
    const key = `${choice.skipCustom} ${names.join()} ${[...reach].join()}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const shown = new Map(models.map((model) => [model.name, toShown(model, reach, choice)]));
    const text = write({
      models: names.flatMap((name) => shown.get(name) ?? []),
      findModel: (name) => shown.get(name),
    });
    const [oldest] = texts.keys();
    if (texts.size >= MAX_TEXTS && oldest !== undefined) texts.delete(oldest);
    texts.set(key, text);
    return text;
  };
}

/** Returns whether no definition has changed. A changed definition is a new model. */
function isSame(left: readonly EntityModel[], right: readonly EntityModel[]): boolean {
  return left.length === right.length && left.every((model, index) => model === right[index]);
}

/** Users, roles and similar types do not belong to a module. */
function isChosen({ definition }: EntityModel, { skipCustom, module }: OpenApiChoice): boolean {
  if (!definition.isObject) return true;
  const isCustom = definition.isCustom === true;
  if (isCustom && skipCustom) return false;
  return module === undefined || (module === 'Custom') === isCustom;
}

function toShown(model: EntityModel, reach: Reach, { skipCustom }: OpenApiChoice): EntityModel {
  return withoutNamesBeyond(skipCustom ? withoutCustomFields(model) : model, reach);
}

function withoutCustomFields({ definition }: EntityModel): EntityModel {
  const fields = Object.entries(definition.fields).filter(([, { isCustom }]) => isCustom !== true);
  return buildEntityModel({ ...definition, fields: Object.fromEntries(fields) });
}

/** Records show links to types out of reach, but the document must not reveal that these types exist. */
function withoutNamesBeyond(model: EntityModel, reach: Reach): EntityModel {
  const { definition } = model;
  const isBeyond = ({ entityType, entityList }: FieldDefinition) =>
    (entityType !== undefined && !reach.has(entityType)) ||
    entityList?.some((name) => !reach.has(name)) === true;
  const fields = Object.entries(definition.fields);
  if (!fields.some(([, field]) => isBeyond(field))) return model;
  const unnamed = fields.map(([name, field]) => {
    const { entityType: _, entityList: __, ...others } = field;
    return [name, isBeyond(field) ? others : field];
  });
  return buildEntityModel({ ...definition, fields: Object.fromEntries(unnamed) });
}
