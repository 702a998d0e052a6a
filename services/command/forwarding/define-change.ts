import type { Submission } from '../writer/submission.ts';
import type { Append } from './append.ts';
import { type CommandDefinition, defineCommand } from './define-command.ts';
import type { JsonObject } from './read-body.ts';
import type { ExistingWriteRequest } from './write-request.ts';

/**
 * Defines a command that changes one record of the records log. `decide` may first look up what the decision needs:
 * `Owner` has what it takes for that.
 */
export function defineChange<Name extends string, Body extends object, Owner>({
  decide,
  ...definition
}: {
  readonly name: Name;
  readonly readBody: (body: JsonObject) => Body;
  readonly decide: (
    request: ExistingWriteRequest<Body>,
    owner: Owner,
  ) => Submission['decide'] | Promise<Submission['decide']>;
}): CommandDefinition<Name, Body, Owner & { readonly append: Append }> {
  return defineCommand({
    ...definition,
    execute: async (owner: Owner & { readonly append: Append }, request) => {
      const { id } = request;
      return owner.append(request, {
        id,
        isCreation: false,
        decide: await decide(request, owner),
      });
    },
  });
}
