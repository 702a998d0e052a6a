import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors.ts';
import { printable } from '../domain/printable.ts';

/**
 * Rejects query parameters that the route's description does not list, because a misspelled filter would return
 * everything. Used only for routes that EspoCRM does not have, because clients of EspoCRM send parameters that it
 * ignores.
 */
export function refuseUnknownParameters({ query, routeOptions }: FastifyRequest): void {
  const { querystring } = routeOptions.schema ?? {};
  const { properties = {} } = (querystring ?? {}) as { readonly properties?: object };
  const known = Object.keys(properties);
  const unknown = Object.keys(query as object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint =
    known.length === 0
      ? 'This route has no parameters.'
      : `Supported parameters: ${known.join(', ')}.`;
  const message = `Parameter '${printable(unknown)}' is not supported here. ${hint}`;
  throw new Refusal('invalid', 'parameter.unsupported', message);
}
