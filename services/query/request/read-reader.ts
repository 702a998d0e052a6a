import type { FastifyRequest } from 'fastify';
import { type Actor, hasScope } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import { type Reader, viewFor } from '../../../shared/search/record-view.ts';
import type { QueryContext } from '../context.ts';
import type { RecordQuery } from '../rows/require-readable.ts';
import type { Query } from './read-parameters.ts';

/** The parameters of a request for a list, for one item, and for a record. */
export type QueryRoute = { readonly Querystring: Query };
export type IdRoute = QueryRoute & { readonly Params: { readonly id: string } };
export type RecordRoute = IdRoute & { readonly Params: { readonly entity: string } };

/** Returns the actor, the entity type, and the actor's view of it. */
export async function readReader(
  context: QueryContext,
  request: FastifyRequest,
  entity: string,
): Promise<Reader> {
  const actor = await readActor(context, request);
  const model = await resolveEntity(context, entity);
  return { actor, model, view: viewFor(actor, model, context.directory.entity) };
}

/** Returns the actor and the record of the request. */
export async function readRecordQuery(
  context: QueryContext,
  request: FastifyRequest<RecordRoute>,
): Promise<RecordQuery> {
  const { entity, id } = request.params;
  return { ...(await readReader(context, request, entity)), id };
}

/** Rejects the request unless the actor has the scope. Only for scopes that roles grant without levels. */
export function requireGranted(actor: Actor, scope: string): void {
  if (hasScope(actor, scope)) return;
  throw new Refusal('forbidden', 'access.denied', `No access to '${scope}'.`);
}

/**
 * Attachments have a history and links, too, but their paths would clash with `/Attachment/file/{id}` in the API
 * document.
 */
export const hasPathsBelow = ({ definition }: EntityModel) => definition.isFile !== true;
