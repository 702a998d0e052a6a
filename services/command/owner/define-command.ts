import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { CommandContext } from '../context.ts';
import { type AppendTarget, append, appendToDirectory } from './append.ts';
import type { Executed, WriteRequest } from './command.ts';
import { asJson, type JsonObject } from './read-body.ts';

/**
 * Definition of one kind of command. Instances forward commands to each other under this name, with the body as JSON.
 */
export interface CommandDefinition<Name extends string = string, Body extends object = object> {
  readonly name: Name;
  /** Rejects invalid bodies. */
  readonly readBody: (body: unknown) => Body;
  /** Reads the body and decides. Rejects with NotOwner if another instance owns the partition. */
  readonly execute: (context: CommandContext, request: WriteRequest) => Promise<Executed>;
}

export function defineCommand<Name extends string, Body extends object>({
  name,
  readBody,
  execute,
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject, name: string) => Body;
  readonly execute: (context: CommandContext, request: WriteRequest<Body>) => Promise<Executed>;
}): CommandDefinition<Name, Body> {
  const read = (body: unknown) => readBody(asJson(body, 'body'), 'body');
  return {
    name,
    readBody: read,
    execute: (context, request) => execute(context, { ...request, body: read(request.body) }),
  };
}

/** The time of the event, and the context of the process that decides. */
export interface Deciding {
  readonly now: number;
  readonly context: CommandContext;
}

/**
 * Defines a command that changes one record. `decide` is a pure function of the record and of data in the process's
 * memory.
 */
export function defineChange<Name extends string, Body extends object>({
  decide,
  entityType,
  isCreation = false,
  ...definition
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject, name: string) => Body;
  /** The type of the record in the directory, if commands for it are sent under another type. */
  readonly entityType?: string;
  readonly isCreation?: boolean;
  readonly decide: (
    state: RecordState | undefined,
    request: WriteRequest<Body>,
    deciding: Deciding,
  ) => Decision | undefined;
}): CommandDefinition<Name, Body> {
  return defineCommand({
    ...definition,
    execute(context, request) {
      const target: AppendTarget = {
        id: request.id,
        isCreation,
        decide: (state, { now }) => decide(state, request, { now, context }),
      };
      return entityType === undefined
        ? append(context, request, target)
        : appendToDirectory(context, { ...request, model: { name: entityType } }, target);
    },
  });
}
