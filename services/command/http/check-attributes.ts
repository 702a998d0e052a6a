import type { FastifyReply, FastifyRequest } from 'fastify';
import { closedFields } from '../../../shared/domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { foreignIds, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { type FieldProblem, validationFailure } from '../../../shared/domain/errors.ts';
import { noFollowing } from '../../../shared/domain/stream/following.ts';
import type { RoutedCommand } from '../routing/route-commands.ts';

/** Headers of an answer have to stay small; whoever needs all names sends `X-Strict`. */
const namedAtMost = 50;

/**
 * Tells the client which attributes of a body are not taken: those that the entity type does not have, and those that
 * the user may not edit. The answer names them in `X-Ignored-Attributes`, percent-encoded, in the order of the body.
 * With `X-Strict: true` the request is refused instead. What only reads answer is ignored without a word, since clients
 * send back what they have read.
 */
export function checkAttributes(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  command: Pick<RoutedCommand, 'actor' | 'model' | 'body'>,
  findModel: FindModel,
): void {
  const [first, ...others] = findIgnored(command, findModel);
  if (first === undefined) return;
  if (headers['x-strict'] === 'true') {
    throw validationFailure(command.model.name, [first, ...others]);
  }
  const names = [first, ...others].slice(0, namedAtMost);
  void reply.header(
    'X-Ignored-Attributes',
    names.map(({ field }) => encodeURIComponent(field.toWellFormed())).join(', '),
  );
}

function findIgnored(
  { actor, model, body }: Pick<RoutedCommand, 'actor' | 'model' | 'body'>,
  findModel: FindModel,
): readonly FieldProblem[] {
  const { edit } = closedFields(actor, model);
  const links = [...linksOf(model, findModel).values()];
  const more = [
    ...(moreKeys[model.name] ?? []),
    ...links.flatMap((link) => foreignIds(model, link) ?? []),
  ];
  return Object.keys(body).flatMap((name): readonly FieldProblem[] => {
    const attribute = model.attribute.get(name);
    if (attribute !== undefined) {
      return edit.has(attribute.field)
        ? [{ field: name, type: 'closed', message: `You may not edit ${attribute.field}.` }]
        : [];
    }
    return more.includes(name) || isReadOnlyKey(model, name)
      ? []
      : [{ field: name, type: 'unknown', message: `${model.name} has no such attribute.` }];
  });
}

/** What a body may hold beside attributes. */
const moreKeys: Readonly<Record<string, readonly string[]>> = {
  User: ['password', 'passwordConfirm'],
  Webhook: ['headers', 'standardSecret'],
};

/** What a single read answers beside attributes. */
function isReadOnlyKey({ definition }: EntityModel, name: string): boolean {
  if (name === 'id' || name === 'deleted') return true;
  if (name === 'versionNumber') return definition.hasVersionNumber === true;
  return definition.hasStream === true && Object.hasOwn(noFollowing, name);
}
