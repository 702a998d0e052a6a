import { type Actor, requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { checkRole, requireReadLevels } from '../../../shared/domain/access/check-role.ts';
import { type FieldProblem, Refusal } from '../../../shared/domain/errors.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { joinProblems } from '../../../shared/domain/input/join-problems.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { requireMatch, requireUnmodified } from '../../../shared/domain/record/conditions.ts';
import {
  decideCreate,
  decideDelete,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import { appendToDirectory } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { withoutAllowed } from '../records/input/read-values.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import { noLinks, requireReadableLinks } from '../records/input/resolve-links.ts';
import { prepareLinkChange } from '../records/links/change-links.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';
import { restoring } from '../records/restore.ts';

export type DirectoryChange = 'create' | 'update' | 'remove';

/** The rules for an entity type in the directory. */
export interface DirectoryRules {
  /** Rejects actors who lack the permission for this change on the entity type. */
  readonly requireAllowed: (actor: Actor, change: DirectoryChange, id?: string) => void;
  /** Returns the parts of the body that this actor may set. */
  readonly admit?: (
    actor: Actor,
    id: string | undefined,
    body: WriteRequest['body'],
  ) => WriteRequest['body'];
  /** Returns values that are derived from the body, such as password hashes. Rejects invalid bodies. */
  readonly derive?: (
    request: { readonly body: WriteRequest['body']; readonly current: RecordState | undefined },
    context: CommandContext,
  ) => Promise<AttributeValues>;
  /** Returns problems with the new values, in addition to the results of the general validation. */
  readonly check?: (values: AttributeValues, context: CommandContext) => readonly FieldProblem[];
  /**
   * Checks uniqueness. The check is exact, because the owner decides one command at a time with all log entries
   * applied.
   */
  readonly requireConsistent?: (
    id: string,
    after: AttributeValues,
    context: CommandContext,
  ) => void;
}

export const administratorsOnly: DirectoryRules = {
  requireAllowed(actor, change) {
    if (actor.type === 'admin') return;
    const denied = change === 'create' ? 'create' : change === 'update' ? 'edit' : 'delete';
    throw new Refusal('forbidden', 'access.denied', `No ${denied} access.`);
  },
};

export const roleRules: DirectoryRules = {
  ...administratorsOnly,
  // Checks only values in the request, so that roles that predate this rule can still be renamed.
  derive: async ({ body }) => {
    requireReadLevels(body['data']);
    return {};
  },
  requireConsistent: (_id, values, { directory }) => checkRole(values, directory.entity),
};

/** Creates the handlers for directory records such as users, teams and roles. */
export function createDirectoryHandlers(rules: DirectoryRules): RecordHandlers {
  return {
    create: (request, context) => create(request, context, rules),
    update: (request, context) => update(request, context, rules),
    async changeLinks(verb, request, context) {
      rules.requireAllowed(request.actor, 'update', request.id);
      const decide = await prepareLinkChange(verb, request, context);
      return appendToDirectory(context, request, { id: request.id, decide });
    },
    async remove(request, context) {
      rules.requireAllowed(request.actor, 'remove', request.id);
      return appendToDirectory(context, request, {
        id: request.id,
        decide(state) {
          const current = live(state, request.id);
          requireMatch(current, request.conditions);
          return decideDelete(current);
        },
      });
    },
    async restore(request, context) {
      requireAdministrator(request.actor);
      const { id } = request;
      const decide = restoring(request);
      return appendToDirectory(context, request, {
        id,
        decide(state, writer) {
          const decided = decide(state, writer);
          rules.requireConsistent?.(id, state?.values ?? {}, context);
          return decided;
        },
      });
    },
  };
}

async function create(
  request: WriteRequest,
  context: CommandContext,
  rules: DirectoryRules,
): Promise<Executed> {
  const { actor, model, conditions } = request;
  rules.requireAllowed(actor, 'create');
  const body = rules.admit?.(actor, undefined, request.body) ?? request.body;
  const input = readInput(model, body, 'create');
  const completed = deriveValues(model, null, input.values);
  const more = rules.check?.(completed.values, context) ?? [];
  const problems = joinProblems(model, input.problems, completed.problems);
  refuseProblems(model, [...withoutAllowed(problems, conditions), ...more]);
  const links = await context.resolveLinks({ model, values: completed.values, actor });
  requireReadableLinks(links, undefined);
  const derived = await rules.derive?.({ body, current: undefined }, context);
  const given = { ...completed.values, ...links.values, ...derived };
  const id = request.place?.id ?? context.newId();
  return appendToDirectory(context, request, {
    id,
    isCreation: true,
    decide(state, { now }) {
      const values = withFollowedRules(model, { current: {}, after: given, now });
      rules.requireConsistent?.(id, values, context);
      return decideCreate(state, values);
    },
  });
}

async function update(
  request: WriteRequest,
  context: CommandContext,
  rules: DirectoryRules,
): Promise<Executed> {
  const { actor, model, id, conditions } = request;
  rules.requireAllowed(actor, 'update', id);
  const body = rules.admit?.(actor, id, request.body) ?? request.body;
  const before = live(context.directory.record(model.name, id), id);
  const { values, problems: unreadable } = readInput(model, body, 'update');
  const problems = [...unreadable, ...(rules.check?.(values, context) ?? [])];
  const isReadable = problems.length === 0;
  const links = isReadable ? await context.resolveLinks({ model, values, actor }) : noLinks;
  const derived = isReadable ? await rules.derive?.({ body, current: before }, context) : undefined;
  return appendToDirectory(context, request, {
    id,
    decide(state, { now }) {
      const current = live(state, id);
      requireMatch(current, conditions);
      requireUnmodified(current, conditions, values);
      const completed = deriveValues(model, current.values, values);
      refuseProblems(model, [...problems, ...completed.problems]);
      requireReadableLinks(links, current.values);
      const after = withFollowedRules(model, {
        current: current.values,
        after: { ...completed.values, ...links.values, ...derived },
        now,
      });
      rules.requireConsistent?.(id, { ...current.values, ...after }, context);
      return decideUpdate(current, after);
    },
  });
}
