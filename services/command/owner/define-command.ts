import type { Submission } from '../writer/submission.ts';
import type { Append } from './append.ts';
import { asJson, type JsonObject } from './read-body.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from './write-request.ts';

/** A command as its owner receives it. A new record may have no id yet, only a place. */
type OwnedRequest<Body extends object = JsonObject> = ExistingWriteRequest<Body> &
  Pick<CreateRequest, 'place'>;

/**
 * Definition of one kind of command. The name identifies it when one instance forwards it to another, with its body as
 * JSON. `Owner` has the dependencies of its handler.
 */
export interface CommandDefinition<
  Name extends string = string,
  Body extends object = object,
  Owner = never,
> {
  readonly name: Name;
  /** Refuses invalid bodies. */
  readonly readBody: (body: unknown) => Body;
  /** Reads the body and decides. Rejects with NotOwner if another instance owns the partition. */
  readonly execute: (owner: Owner, request: OwnedRequest) => Promise<Executed>;
}

export function defineCommand<Name extends string, Body extends object, Owner>({
  name,
  readBody,
  execute,
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject, name: string) => Body;
  readonly execute: (owner: Owner, request: OwnedRequest<Body>) => Promise<Executed>;
}): CommandDefinition<Name, Body, Owner> {
  const read = (body: unknown) => readBody(asJson(body, 'body'), 'body');
  return {
    name,
    readBody: read,
    execute: async (owner, request) => execute(owner, { ...request, body: read(request.body) }),
  };
}

/**
 * Defines a command that changes one record of the records log. `decide` may first look up what the decision needs:
 * `Owner` has what it takes for that.
 */
export function defineChange<Name extends string, Body extends object, Owner>({
  decide,
  ...definition
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject, name: string) => Body;
  readonly decide: (
    request: ExistingWriteRequest<Body>,
    owner: Owner,
  ) => Submission['decide'] | Promise<Submission['decide']>;
}): CommandDefinition<Name, Body, Owner & { readonly append: Append }> {
  return defineCommand({
    ...definition,
    execute: async (owner: Owner & { readonly append: Append }, request) => {
      const { id, model } = request;
      if (model.definition.log !== 'records') {
        throw new Error(`${definition.name} is not for ${model.name}`);
      }
      return owner.append(request, { id, decide: await decide(request, owner) });
    },
  });
}
