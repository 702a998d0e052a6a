import { asJson, type JsonObject } from './read-body.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from './write-request.ts';

/** A command as its owner gets it: a new record has no id of its own yet, only a place. */
type OwnedRequest<Body extends object = JsonObject> = ExistingWriteRequest<Body> &
  Pick<CreateRequest, 'place'>;

/**
 * One kind of command, by the name under which it travels from the instance that a client asked to the owner of a
 * partition. Its body is JSON on the way, wherever it is decided; `Owner` is what deciding it needs there.
 */
export interface CommandDefinition<
  Name extends string = string,
  Body extends object = object,
  Owner = never,
> {
  readonly name: Name;
  /** Refuses what is no body of this command. */
  readonly readBody: (body: unknown) => Body;
  /** Reads the body and decides; NotOwner if this instance is not the one to do so. */
  readonly execute: (owner: Owner, request: OwnedRequest) => Promise<Executed>;
}

export function defineCommand<Name extends string, Body extends object, Owner>({
  name,
  readBody,
  execute,
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject) => Body;
  readonly execute: (owner: Owner, request: OwnedRequest<Body>) => Promise<Executed>;
}): CommandDefinition<Name, Body, Owner> {
  const read = (body: unknown) => readBody(asJson(body, 'body'));
  return {
    name,
    readBody: read,
    execute: async (owner, request) => execute(owner, { ...request, body: read(request.body) }),
  };
}
