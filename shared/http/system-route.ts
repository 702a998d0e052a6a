import type { FastifyRequest } from 'fastify';
import { type Actor, requireAdministrator } from '../domain/access/actor.ts';
import type { Observed } from '../installation/observed.ts';
import { describeRoute } from './describe/describe-route.ts';
import { reading } from './describe/error-lists.ts';
import { type ReaderDeps, readActor } from './read-actor.ts';
import { refuseUnknownParameters } from './refuse-unknown-parameters.ts';

export interface SystemRouteDeps extends ReaderDeps {
  readonly observed: Observed;
}

type Described = Parameters<typeof describeRoute>[0];

/** Describes a route for administrators. `errors` are additions to the errors that all of these routes can have. */
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

/** Throws a Refusal if the user is not an administrator, or if the route does not have one of the query parameters. */
export async function readOperator(deps: ReaderDeps, request: FastifyRequest): Promise<Actor> {
  const actor = await readActor(deps, request);
  requireAdministrator(actor);
  refuseUnknownParameters(request);
  return actor;
}
