import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { parameterComponents } from '../../../shared/http/describe/parameters.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { boolFilterNames, primaryFilterNames } from '../../../shared/search/where/named-filters.ts';
import type { RouteTemplate } from './route-templates.ts';

export interface Described {
  /** The entity types to describe. */
  readonly models: readonly EntityModel[];
  /**
   * Finds all entity types, not only the described ones: the links of a model are computed once, so they must be
   * complete.
   */
  readonly findModel: FindModel;
}

/** The values of placeholders such as `{entity}`. */
type Names = Readonly<Record<string, string>>;

const shared = parameterComponents();
const common = ['X-Another-User', 'traceparent'].map((name) => refer('parameters', name));

/**
 * Returns the paths of the document: a route below `:entity` gets a path for each entity type, or for each of its
 * links. Yields to other requests, because the load balancer closes its connections to an api that is silent for longer
 * than a second.
 */
export async function expandRoutes(
  templates: readonly RouteTemplate[],
  described: Described,
): Promise<Part> {
  const paths: Record<string, Record<string, unknown>> = {};
  // A route for a particular entity type takes precedence over a route for all entity types.
  const byEntity = templates.toSorted((left, right) => rank(left) - rank(right));
  for (const template of byEntity) {
    await letOthersRun();
    for (const names of namesFor(template, described)) {
      const path = fill(template.path, names);
      const operation = toOperation(template, names, described);
      paths[path] = { parameters: common, ...paths[path], [template.method]: operation };
    }
  }
  return paths;
}

function rank({ path }: RouteTemplate): number {
  return path.includes('{entity}') ? 0 : 1;
}

function namesFor(
  { path, route, operation }: RouteTemplate,
  { models, findModel }: Described,
): readonly Names[] {
  const { isFor = () => true, isForLink = () => true, isForType = () => true } = route;
  const isDescribed = (name: string) => models.some((model) => model.name === name);
  if (!path.includes('{entity}')) {
    const [tag] = [operation['tags']].flat();
    return findModel(String(tag)) === undefined || isDescribed(String(tag)) ? [{}] : [];
  }
  const [[part, values] = ['', undefined]] = Object.entries(route.values ?? {});
  return models.filter(isFor).flatMap((model): readonly Names[] => {
    const entity = model.name;
    if (values !== undefined) return values.map((value) => ({ entity, [part]: value }));
    if (path.includes('{link}')) {
      return [...linksOf(model, findModel).values()].flatMap((link) => {
        const target = findModel(link.entityType ?? '');
        const isShown = target !== undefined && isDescribed(target.name) && isForLink(model, link);
        return isShown ? [{ entity, link: link.name, target: target.name }] : [];
      });
    }
    const types = models.filter((type) => isForType(model, type));
    if (!path.includes('{type}')) return types.length > 0 ? [{ entity }] : [];
    return types.map(({ name }) => ({ entity, type: name }));
  });
}

function toOperation(template: RouteTemplate, names: Names, described: Described): Part {
  const { operation, route } = template;
  const { models, findModel } = described;
  const found = findModel(fill(route.finds ?? '{entity}', names));
  const text = JSON.stringify({ ...operation, responses: responsesFor(template, names) });
  const reviver = (_key: string, value: unknown) => limitToDescribed(value, models);
  const filled: Part = JSON.parse(fill(text, names), placeholders.test(text) ? reviver : undefined);
  const { parameters } = filled;
  if (!Array.isArray(parameters)) return filled;
  return { ...filled, parameters: parameters.flatMap((one) => parametersFor(one, found)) };
}

function responsesFor({ operation, route }: RouteTemplate, names: Names): Part {
  const others = Object.values(names).map((name) => route.responsesOf[name] ?? {});
  const { 200: done, ...responses } = Object.assign({}, operation['responses'], ...others);
  return 201 in responses ? responses : { 200: done, ...responses };
}

const placeholders = /"x-by-type"|"\{activity\}"/;

/** Limits the schemas per entity type, and the names of activities, to the described types. */
function limitToDescribed(value: unknown, models: readonly EntityModel[]): unknown {
  if (Array.isArray(value) && value[0] === '{activity}') {
    return models.filter(({ definition }) => definition.activity).map(({ name }) => name);
  }
  const { 'x-by-type': byType, ...others } = toObject(value);
  if (byType !== true) return value;
  return Object.fromEntries(
    Object.entries(others).filter(([type]) => models.some(({ name }) => name === type)),
  );
}

/** Parameters that depend on the entity type. */
const byModel: Readonly<Record<string, (model: EntityModel, own: Part) => Part | undefined>> = {
  primaryFilter: (model) => ({
    ...shared['primaryFilter'],
    schema: { type: 'string', enum: primaryFilterNames(model) },
  }),
  boolFilterList: (model) => ({
    ...shared['boolFilterList'],
    schema: { type: 'array', items: { type: 'string', enum: boolFilterNames(model) } },
  }),
  userType: ({ definition }, own) => (definition.typeFilters === undefined ? undefined : own),
  'X-Skip-Duplicate-Check': ({ definition }, own) =>
    definition.checksDuplicates === true ? own : undefined,
  'X-Duplicate-Source-Id': ({ definition }, own) =>
    definition.copiedLinks === undefined ? undefined : own,
};

function parametersFor(own: Part, found: EntityModel | undefined): readonly Part[] {
  const name = String(own['$ref']).split('/').at(-1) ?? '';
  const make = byModel[name];
  const parameter = make === undefined || found === undefined ? own : make(found, own);
  return parameter === undefined ? [] : [parameter];
}

function fill(text: string, names: Names): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole);
}
