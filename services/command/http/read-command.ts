import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityDeps, resolveEntity } from '../../../shared/http/entity-segment.ts';
import type { ReaderDeps } from '../../../shared/http/read-actor.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { Action } from '../routing/action.ts';
import { hashRequest } from '../routing/hash-request.ts';
import type { RouteCommand, RoutedCommand } from '../routing/route-commands.ts';
import { readConditions, readIdempotencyKey } from './read-write-headers.ts';

export interface CommandRouteDeps extends ReaderDeps, EntityDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly openSecret: (sealed: string) => string | null;
  /** How long a write may take. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

interface Asked {
  readonly action: Action;
  readonly body: unknown;
  readonly id?: string;
  /** Where the path does not name the entity type. */
  readonly entity?: string;
  /** Of an entity type that no client can name. */
  readonly model?: EntityModel;
}

/** A command as its request asks for it, for who sent it. */
export async function readCommand(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  asked: Asked,
): Promise<RoutedCommand> {
  const { headers } = request;
  const actor = await deps.authenticate(request);
  const model =
    asked.model ?? (await resolveEntity(deps, asked.entity ?? entityIn(request.params)));
  const body = requireObject(asked.body);
  const { action, id } = asked;
  const entityType = model.name;
  const commandId = readIdempotencyKey(headers);
  return {
    ...(id === undefined ? {} : { id }),
    actor,
    model,
    body,
    commandId,
    commandHash:
      commandId === null ? null : hashRequest({ action: action.name, entityType, id, body }),
    conditions: readConditions(headers, body),
    deadline: deps.now() + deps.timeoutMs,
    untilReadable: !prefers(headers['prefer'], 'respond-async'),
  };
}

/** RFC 7240: preferences in a comma list, each with optional parameters. */
export function prefers(header: string | string[] | undefined, preference: string): boolean {
  if (header === undefined) return false;
  return [header]
    .flat()
    .flatMap((one) => one.split(','))
    .some((one) => one.split(';')[0]?.replaceAll(/\s/g, '').toLowerCase() === preference);
}

function entityIn(params: unknown): string {
  return String(Object(params)['entity']);
}
