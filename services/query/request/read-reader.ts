import type { FastifyRequest } from 'fastify';
import type { Queryable } from '../../../shared/db/pool.ts';
import { type Actor, hasScope } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type ReaderDeps, readActor } from '../../../shared/http/read-actor.ts';
import { type EntityDeps, resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import type { Reads } from '../../../shared/search/open-reads.ts';
import { type Reader, viewFor } from '../../../shared/search/record-view.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';
import type { Query } from './read-parameters.ts';

export interface QueryRouteDeps extends ReaderDeps, EntityDeps, Reads {
  /** From createPool, because times and dates must be read as text. */
  readonly pool: Queryable;
  /** The pools for reads that a replica may serve; by default `pool` and `searchPool`. */
  readonly reads?: Reads;
  readonly directory: Directory;
  readonly secrets: Pick<SecretBox, 'tryOpen'>;
  readonly topics: TopicNames;
}

/** Dependencies for resolving the caller and the entity type of a request, and for reading. */
export type ReadDeps = SearchDeps & ReaderDeps & EntityDeps;

/** The parameters of a request for a list, for one item, and for a record. */
export type QueryRoute = { readonly Querystring: Query };
export type IdRoute = QueryRoute & { readonly Params: { readonly id: string } };
export type RecordRoute = IdRoute & { readonly Params: { readonly entity: string } };

/** Returns the actor, the entity type, and the actor's view of it. */
export async function readReader(
  deps: Omit<ReadDeps, 'prepare'>,
  request: FastifyRequest,
  entity: string,
): Promise<Reader> {
  const actor = await readActor(deps, request);
  const model = await resolveEntity(deps, entity);
  return { actor, model, view: viewFor(actor, model, deps.directory.entity) };
}

/** Returns the actor's view of an entity type. Throws if the type does not exist. */
export function readerOf(
  { directory }: Pick<ReadDeps, 'directory'>,
  actor: Actor,
  entityType: string,
): Reader {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`The entity type ${entityType} does not exist.`);
  return { actor, model, view: viewFor(actor, model, directory.entity) };
}

/** Returns the actor and the record of the request. */
export async function readRecordQuery(
  deps: ReadDeps,
  request: FastifyRequest<RecordRoute>,
): Promise<RecordQuery> {
  const { entity, id } = request.params;
  return { ...(await readReader(deps, request, entity)), id };
}

/** Refuses the request unless the actor has the scope. Only for scopes that roles grant without levels. */
export function requireGranted(actor: Actor, scope: string): void {
  if (hasScope(actor, scope)) return;
  throw new Refusal('forbidden', 'access.denied', `No access to '${scope}'.`);
}
