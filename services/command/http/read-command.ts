import type { FastifyRequest } from 'fastify';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { requireObject, requireText, textIn } from '../../../shared/http/require-object.ts';
import { resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import type { CommandContext } from '../context.ts';
import type { Command } from '../owner/command.ts';
import type { CommandDefinition } from '../owner/define-command.ts';
import { hashRequest } from '../owner/hash-request.ts';
import { readConditions, readIdempotencyKey } from './read-write-headers.ts';

interface CommandInput {
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
  input: CommandInput,
): Promise<Command> {
  const { headers, params } = request;
  const actor = await context.authenticate(request);
  const entity = input.entity ?? textIn(params, 'entity');
  const model = input.model ?? (await resolveEntity(context, entity));
  const body = requireObject(input.body);
  const { command, id } = input;
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

/** Reads a command for the record named in the body. */
export async function readNamed(
  context: CommandContext,
  request: FastifyRequest,
  command: CommandDefinition,
): Promise<Command & { readonly id: string }> {
  const id = textIn(request.body, 'id');
  const read = await readCommand(context, request, { command, body: request.body, id });
  return { ...read, id: requireText(read.body, 'id') };
}

/**
 * Returns true if a Prefer header contains the preference. The header is a comma-separated list of items with optional
 * parameters (RFC 7240).
 */
export function prefers(header: string | string[] | undefined, preference: string): boolean {
  if (header === undefined) return false;
  return [header]
    .flat()
    .flatMap((one) => one.split(','))
    .some((one) => one.split(';')[0]?.replaceAll(/\s/g, '').toLowerCase() === preference);
}
