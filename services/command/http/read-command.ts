import type { FastifyRequest } from 'fastify';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { requireObject, textIn } from '../../../shared/http/require-object.ts';
import { resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import type { CommandContext } from '../context.ts';
import type { Command } from '../owner/command.ts';
import type { CommandDefinition } from '../owner/define-command.ts';
import { hashRequest } from '../owner/hash-request.ts';
import { readConditions, readIdempotencyKey } from './read-write-headers.ts';

interface Asked {
  readonly command: CommandDefinition;
  readonly body: unknown;
  readonly id?: string;
  /** The entity type, if the path does not name it. */
  readonly entity?: string;
  /** The model, for an internal entity type. */
  readonly model?: EntityModel;
}

/** Reads a command from a request, and authenticates its user. */
export async function readCommand(
  context: CommandContext,
  request: FastifyRequest,
  asked: Asked,
): Promise<Command> {
  const { headers, params } = request;
  const actor = await context.authenticate(request);
  const entity = asked.entity ?? String(Object(params)['entity']);
  const model = asked.model ?? (await resolveEntity(context, entity));
  const body = requireObject(asked.body);
  const { command, id } = asked;
  const entityType = model.name;
  const commandId = readIdempotencyKey(headers);
  return {
    ...(id === undefined ? {} : { id }),
    actor,
    model,
    body,
    commandId,
    commandHash:
      commandId === null ? null : hashRequest({ command: command.name, entityType, id, body }),
    conditions: readConditions(headers, body),
    deadline: context.now() + context.timeoutMs,
    untilReadable: !prefers(headers['prefer'], 'respond-async'),
  };
}

export function requireText(body: Readonly<Record<string, unknown>>, name: string): string {
  const text = textIn(body, name);
  if (text !== '') return text;
  throw new Refusal('invalid', 'body.value_missing', `The body has no ${name}, or it is no text.`);
}

/** RFC 7240: preferences in a comma list, each with optional parameters. */
export function prefers(header: string | string[] | undefined, preference: string): boolean {
  if (header === undefined) return false;
  return [header]
    .flat()
    .flatMap((one) => one.split(','))
    .some((one) => one.split(';')[0]?.replaceAll(/\s/g, '').toLowerCase() === preference);
}
