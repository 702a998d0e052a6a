import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import { layoutOf } from '../metadata/layouts.ts';
import { isReached } from '../metadata/reach.ts';

type LayoutParams = { readonly entity: string; readonly name: string };

/** The actor, and the entity type of the request. */
type ReadReader = (
  request: FastifyRequest,
  entity: string,
) => Promise<{ readonly actor: Actor; readonly model: EntityModel; readonly view: RecordView }>;

/** Layouts of entity types (docs/reference/api.md#screens). */
export function registerLayouts(
  server: FastifyInstance,
  directory: Directory,
  readReader: ReadReader,
): void {
  server.get<{ Params: LayoutParams }>('/api/v1/:entity/layout/:name', async (request) => {
    const { entity, name } = request.params;
    const reader = await readReader(request, entity);
    const reached = directory.entities().filter((model) => isReached(reader.actor, model));
    const reach = new Set(reached.map((model) => model.name));
    return layoutOf({ ...reader, reach, findModel: directory.entity }, name);
  });
}
