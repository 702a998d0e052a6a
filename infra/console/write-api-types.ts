/**
 * Generates the console's API types from the OpenAPI document. All entity types have the same record paths, so the
 * types are generated from the paths of Account, with `{entity}` in place of the entity type.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import openapiTs, { astToString } from 'openapi-typescript';
import { buildOpenApi } from '../../services/query/openapi/openapi-document.ts';
import { readRoutes } from '../../services/query/openapi/route-templates.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { consoleSources } from './console-build.ts';
import { findRoutes } from './find-routes.ts';

const target = join(consoleSources, 'api', 'schema.d.ts');
const example = 'Account';
const described = new Set([
  example,
  'Attachment',
  'Contact',
  'Lead',
  'MassAction',
  'Note',
  'Task',
  'User',
  'Webhook',
]);
/** The path whose types are used for every link. */
const exampleLink = '/Account/{id}/contacts';
/** The path whose types are used for every board, because Account does not have one. */
const exampleBoard = '/Kanban/Lead';
/** Described only with the type of an activity. */
const exampleActivities = `/Activities/${example}/{id}/activities`;
const generalized: ReadonlyMap<string, string> = new Map([
  [exampleLink, '/{entity}/{id}/{link}'],
  [exampleBoard, '/Kanban/{entity}'],
  [exampleActivities, '/Activities/{entity}/{id}/activities'],
]);
const notLinks = 'history|stream|posts|followers|subscription|starSubscription|usersAccess';
const linkOfExample = new RegExp(`^/Account/\\{id\\}/(?!(?:${notLinks})$)`);

const directory = createDirectory(stockDefinitions);
const models = directory.entities().filter(({ name }) => described.has(name));
const routes = readRoutes((await findRoutes()).document);
const document = (await buildOpenApi(routes, {
  models,
  findModel: directory.entity,
})) as unknown as {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

const paths = Object.entries(document.paths)
  .filter(([path]) => path === exampleLink || !linkOfExample.test(path))
  .map(([path, item]) =>
    isOfExample(path) ? [generalize(path), withNames(path, item)] : [path, item],
  );
const anyRecord = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
  additionalProperties: true,
};

const anyValues = { type: 'object', additionalProperties: true };

const types = await openapiTs(
  JSON.stringify({
    ...document,
    paths: Object.fromEntries(paths),
    webhooks: {},
    components: {
      ...document.components,
      schemas: {
        ...document.components.schemas,
        [example]: anyRecord,
        [`${example}_create`]: anyValues,
        Contact: anyRecord,
      },
    },
  }),
);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, astToString(types));

function isOfExample(path: string): boolean {
  return path === `/${example}` || path.startsWith(`/${example}/`) || generalized.has(path);
}

function generalize(path: string): string {
  return generalized.get(path) ?? `/{entity}${path.slice(example.length + 1)}`;
}

function withNames(path: string, item: object): object {
  const { parameters = [] } = item as { readonly parameters?: readonly object[] };
  const names = path === exampleLink ? ['entity', 'link'] : ['entity'];
  const named = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return { ...item, parameters: [...parameters, ...named] };
}
