import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { buildEntityModel, type EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { isReached } from '../metadata/metadata.ts';
import { buildOpenApi } from './openapi-document.ts';

/** What is left out of the document (api-facts 7.4). */
export interface OpenApiChoice {
  /** Custom entity types and fields. */
  readonly skipCustom: boolean;
  /** Entity types of other modules than this one. */
  readonly module: 'Crm' | 'Custom' | undefined;
}

type DescribeOpenApi = (actor: Actor, choice: OpenApiChoice) => string;

/** Roles that reach different entity types get documents of their own; few of them ask at the same time. */
const maxTexts = 4;

/**
 * The OpenAPI document as text, with the entity types that the actor's role reaches. It is made when somebody asks, and
 * kept until a definition changes.
 */
export function createDescribeOpenApi(
  directory: Pick<Directory, 'entities' | 'entity'>,
): DescribeOpenApi {
  let described: readonly EntityModel[] = [];
  const texts = new Map<string, string>();

  return (actor, choice) => {
    const models = directory.entities();
    if (!isSame(models, described)) texts.clear();
    described = models;
    const names = models
      .filter((model) => isReached(actor, model) && isChosen(model, choice))
      .map(({ name }) => name);
    const key = `${choice.skipCustom} ${names.join()}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(build(directory, new Set(names), choice), null, 2);
    const [oldest] = texts.keys();
    if (texts.size >= maxTexts && oldest !== undefined) texts.delete(oldest);
    texts.set(key, text);
    return text;
  };
}

/** Models are built anew when their definition changes. */
function isSame(left: readonly EntityModel[], right: readonly EntityModel[]): boolean {
  return left.length === right.length && left.every((model, index) => model === right[index]);
}

/** Users, roles and the like belong to no module. */
function isChosen({ definition }: EntityModel, { skipCustom, module }: OpenApiChoice): boolean {
  if (!definition.isObject) return true;
  const isCustom = definition.isCustom === true;
  if (isCustom && skipCustom) return false;
  return module === undefined || (module === 'Custom') === isCustom;
}

function build(
  directory: Pick<Directory, 'entities' | 'entity'>,
  names: ReadonlySet<string>,
  { skipCustom }: OpenApiChoice,
) {
  const isNamed = ({ name }: EntityModel) => names.has(name);
  if (!skipCustom) return buildOpenApi(directory.entities().filter(isNamed), directory.entity);
  const stock = new Map(
    directory.entities().map((model) => [model.name, withoutCustomFields(model)]),
  );
  return buildOpenApi([...stock.values()].filter(isNamed), (name) => stock.get(name));
}

function withoutCustomFields({ definition }: EntityModel): EntityModel {
  const fields = Object.entries(definition.fields).filter(([, { isCustom }]) => isCustom !== true);
  return buildEntityModel({ ...definition, fields: Object.fromEntries(fields) });
}
