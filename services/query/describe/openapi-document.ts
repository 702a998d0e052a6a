import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isWritable } from '../../../shared/http/describe/describe-route.ts';
import { errorSchemas } from '../../../shared/http/describe/error-answers.ts';
import { answerHeaders } from '../../../shared/http/describe/headers.ts';
import { parameterComponents, searchSchemas } from '../../../shared/http/describe/parameters.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import { groupEntrySchemas } from './attribute-schema.ts';
import { entitySchemas } from './entity-schemas.ts';
import { type Described, expandRoutes } from './expand-routes.ts';
import type { DescribedRoutes } from './route-templates.ts';
import { withoutUnused } from './used-components.ts';
import { webhookItemSchemas, webhookParameters, webhookRequests } from './webhook-messages.ts';

/**
 * The OpenAPI document of these entity types, made from the schemas of the routes and from the definitions that requests
 * are checked with. Fixed schemas begin with a lower-case letter, so that no entity type can have the same name.
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
    { name: 'This installation', description: 'What it is and what it has.' },
    { name: 'Logging in', description: 'Who somebody is, and how they prove it.' },
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

/** Uploads have a schema of their own. */
function hasCreation(model: EntityModel): boolean {
  return isWritable(model) && model.definition.isFile !== true;
}
