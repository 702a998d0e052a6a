import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isWritable } from '../../../shared/http/describe/describe-route.ts';
import { errorSchemas } from '../../../shared/http/describe/error-answers.ts';
import { answerHeaders } from '../../../shared/http/describe/headers.ts';
import { parameterComponents, searchSchemas } from '../../../shared/http/describe/parameters.ts';
import { mapParts, type Part } from '../../../shared/http/describe/part.ts';
import { entitySchemas, groupEntrySchemas } from './entity-schemas.ts';
import { type Described, expandRoutes } from './expand-routes.ts';
import type { DescribedRoutes } from './route-templates.ts';
import { webhookItemSchemas, webhookParameters, webhookRequests } from './webhook-messages.ts';

/**
 * Returns the OpenAPI document for these entity types, generated from the route schemas and from the definitions that
 * validate requests. Names of fixed schemas start with a lower-case letter, so that no entity type can have the same
 * name.
 */
export async function buildOpenApi(routes: DescribedRoutes, described: Described): Promise<Part> {
  const { models } = described;
  const { frame, templates, errors, schemas } = routes;
  const paths = await expandRoutes(templates, described);
  const ofEntities: Record<string, Part> = {};
  for (const model of models) {
    await letOthersRun();
    Object.assign(ofEntities, entitySchemas(model, hasCreation(model)));
  }
  return withoutUnused({
    ...frame,
    tags: tagsOf(models),
    paths,
    webhooks: webhookRequests(models),
    components: {
      ...frame.components,
      headers: answerHeaders,
      parameters: { ...parameterComponents(), ...webhookParameters },
      responses: errors,
      schemas: {
        ...ofEntities,
        ...groupEntrySchemas,
        ...webhookItemSchemas,
        ...errorSchemas,
        ...searchSchemas,
        ...schemas,
      },
    },
  });
}

function tagsOf(models: readonly EntityModel[]): readonly Part[] {
  return [
    {
      name: 'This installation',
      description: 'The settings, metadata and status of the installation.',
    },
    { name: 'Logging in', description: 'Authentication, and information about the current user.' },
    { name: 'Preferences', description: 'Language, formats and the state of clients, per user.' },
    { name: 'Notifications', description: 'Changes and posts that concern the user.' },
    ...models.map(({ name, definition }) => ({
      name,
      description: `Records of ${name}${definition.isCustom === true ? ', a custom entity type' : ''}.`,
    })),
    {
      name: 'Several records',
      description: 'Searching, changing and merging records of any type.',
    },
    { name: 'Custom types and fields', description: 'For administrators.' },
  ];
}

/** Uploads have a separate schema. */
function hasCreation(model: EntityModel): boolean {
  return isWritable(model) && model.definition.isFile !== true;
}

type Components = Readonly<Record<string, Part>>;

/** Returns the document without unused components. */
function withoutUnused(document: Part & { readonly components: Components }): Part {
  const { components, ...others } = document;
  const used = new Set<string>();
  const waiting = pointersIn(others);
  for (let pointer = waiting.pop(); pointer !== undefined; pointer = waiting.pop()) {
    if (used.has(pointer)) continue;
    used.add(pointer);
    const [section = '', name = ''] = pointer.split('/');
    waiting.push(...pointersIn(components[section]?.[name]));
  }
  return { ...others, components: keepUsed(components, used) };
}

function keepUsed(components: Components, used: ReadonlySet<string>): Part {
  return mapParts(components, (parts, section) => {
    if (section === 'securitySchemes') return parts;
    const kept = Object.entries(parts).filter(([name]) => used.has(`${section}/${name}`));
    return Object.fromEntries(kept);
  });
}

/** Returns `schemas/Account` for each reference to that schema. */
function pointersIn(part: unknown): string[] {
  const text = JSON.stringify(part) ?? '';
  return [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, pointer = '']) => pointer);
}
