import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/links.ts';
import { validationFailure } from '../../../shared/domain/errors.ts';
import { noFollowing } from '../../../shared/domain/stream/following.ts';
import { type EntityDeps, resolveEntity } from '../../../shared/http/entity-segment.ts';
import type { ReaderDeps } from '../../../shared/http/read-actor.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { foreignIds } from '../actions/link-new-record.ts';
import type { CommandAction } from '../forward/forwarded-command.ts';
import type { RouteCommand, RoutedCommand } from '../forward/route-commands.ts';
import { hashRequest, readConditions, readIdempotencyKey } from './read-write-headers.ts';

export interface CommandRouteDeps extends ReaderDeps, EntityDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly openSecret: (sealed: string) => string | null;
  /** How long a write may take. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

interface Asked {
  readonly action: CommandAction;
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
  if (headers['x-strict'] === 'true') refuseUnknown({ model, body, action }, deps.directory.entity);
  const commandId = readIdempotencyKey(headers);
  return {
    ...asked,
    actor,
    model,
    body,
    commandId,
    commandHash:
      commandId === null ? null : hashRequest({ action, entityType: model.name, id, body }),
    conditions: readConditions(headers, body),
    deadline: deps.now() + deps.timeoutMs,
    untilReadable: !prefers(headers['prefer'], 'respond-async'),
  };
}

/** What a body may hold beside attributes. */
const moreKeys: Readonly<Record<string, readonly string[]>> = {
  User: ['password', 'passwordConfirm'],
  Webhook: ['headers', 'standardSecret'],
};

/** What a single read answers beside attributes: bodies that come back have it, and it is ignored. */
function isReadOnlyKey({ definition }: EntityModel, name: string): boolean {
  if (name === 'id' || name === 'deleted') return true;
  if (name === 'versionNumber') return definition.hasVersionNumber === true;
  return definition.hasStream === true && Object.hasOwn(noFollowing, name);
}

/** X-Strict: unknown attributes are no leftovers of a read, but mistakes. */
function refuseUnknown(
  {
    model,
    action,
    body,
  }: {
    readonly model: EntityModel;
    readonly action: CommandAction;
    readonly body: Readonly<Record<string, unknown>>;
  },
  findModel: FindModel,
): void {
  if (action !== 'create' && action !== 'update') return;
  const links = [...linksOf(model, findModel).values()];
  const more = [
    ...(moreKeys[model.name] ?? []),
    ...links.flatMap((link) => foreignIds(model, link) ?? []),
  ];
  const [first, ...others] = Object.keys(body)
    .filter(
      (name) => !model.attribute.has(name) && !more.includes(name) && !isReadOnlyKey(model, name),
    )
    .map((field) => ({ field, type: 'unknown', message: `${model.name} has no such attribute.` }));
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
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
