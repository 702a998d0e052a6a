import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { foreignIds, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { validationFailure } from '../../../shared/domain/errors.ts';
import { noFollowing } from '../../../shared/domain/stream/following.ts';
import { type EntityDeps, resolveEntity } from '../../../shared/http/entity-segment.ts';
import type { ReaderDeps } from '../../../shared/http/read-actor.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { Action } from '../routing/action.ts';
import { hashRequest } from '../routing/hash-request.ts';
import type { JsonObject } from '../routing/read-body.ts';
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
  if (headers['x-strict'] === 'true' && strictActions.has(action.name)) {
    refuseUnknown({ model, body }, deps.directory.entity);
  }
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

/** Those whose bodies are attributes of a record, as a client sends them. */
const strictActions: ReadonlySet<string> = new Set(['create', 'update']);

/** X-Strict: unknown attributes are no leftovers of a read, but mistakes. */
function refuseUnknown(
  { model, body }: { readonly model: EntityModel; readonly body: JsonObject },
  findModel: FindModel,
): void {
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
