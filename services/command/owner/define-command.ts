import type { CommandContext } from '../context.ts';
import type { Submission } from '../writer/submission.ts';
import { append } from './append.ts';
import type { Executed, WriteRequest } from './command.ts';
import { asJson, type JsonObject } from './read-body.ts';

/** Definition of one kind of command. Instances forward a command to each other by this name, with its body as JSON. */
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
    execute: async (context, request) => execute(context, { ...request, body: read(request.body) }),
  };
}

/** Defines a command that changes one record of the records log. `decide` may first read what the decision needs. */
export function defineChange<Name extends string, Body extends object>({
  decide,
  ...definition
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject, name: string) => Body;
  readonly decide: (
    request: WriteRequest<Body>,
    context: CommandContext,
  ) => Submission['decide'] | Promise<Submission['decide']>;
}): CommandDefinition<Name, Body> {
  return defineCommand({
    ...definition,
    execute: async (context, request) => {
      const { id, model } = request;
      if (model.definition.log !== 'records') {
        throw new Error(`${definition.name} is not for ${model.name}`);
      }
      return append(context, request, { id, decide: await decide(request, context) });
    },
  });
}
