import type { FastifyRequest } from 'fastify';
import { type Actor, requireAdministrator } from '../domain/access/actor.ts';
import { describeRoute } from './describe/describe-route.ts';
import { reading } from './describe/error-lists.ts';
import { type ReaderDeps, readActor } from './read-actor.ts';
import { refuseUnknownParameters } from './refuse-unknown-parameters.ts';

type Described = Parameters<typeof describeRoute>[0];

/**
 * Describes a route for administrators. `errors` lists additional codes; every such route can also return the codes
 * that this function adds.
 */
export function describeSystemRoute(
  route: Omit<Described, 'tag' | 'errors'> & { readonly errors?: Described['errors'] },
): ReturnType<typeof describeRoute> {
  const errors = [
    ...reading,
    'access.admin_only' as const,
    'parameter.unsupported' as const,
    ...(route.errors ?? []),
  ];
  return describeRoute({ ...route, tag: 'System', errors });
}

/**
 * Throws a Refusal if the user is not an administrator, or if the request has a query parameter that the route does not
 * accept.
 */
export async function readOperator(deps: ReaderDeps, request: FastifyRequest): Promise<Actor> {
  const actor = await readActor(deps, request);
  requireAdministrator(actor);
  refuseUnknownParameters(request);
  return actor;
}
