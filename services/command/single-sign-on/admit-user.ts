import { userInactive } from '../../../shared/domain/directory/acting-user.ts';
import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import {
  externalIdentityType,
  toExternalIdentity,
} from '../../../shared/domain/login/external-identity.ts';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { BaseContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { createCommand } from '../records/create.ts';
import { updateCommand } from '../records/update.ts';
import { type Account, applyGroups, type GroupRights } from './read-claims.ts';
import { identityIdOf, linkIdentityCommand } from './single-sign-on-commands.ts';

/**
 * Returns the active user of an account, after a provider has authenticated it.
 *
 *   linked? ──yes──▶ user exists? ──yes──▶ update user and groups ──▶ done
 *     │ no                 └─no: an earlier sign-in ended here──┐
 *     ▼                                                         ▼
 *   same user name? ──yes──▶ link, if allowed           create the user
 *     └─no──▶ link to a new id, if allowed ─────────────────────┘
 *
 * The link is written before the user. The process may end in between: the next sign-in then creates the user under
 * the same id. Of two simultaneous first sign-ins, the owner of the directory rejects one link, and that sign-in starts
 * again with the other's link.
 */
export async function admitUser(
  context: BaseContext,
  provider: SignInProvider,
  account: Account,
): Promise<RecordState> {
  try {
    return await findOrCreate(context, provider, account);
  } catch (error) {
    if (!(error instanceof Refusal) || !isRace(error)) throw error;
    await context.catchUp();
    return findOrCreate(context, provider, account);
  }
}

const isRace = ({ code }: Refusal): boolean =>
  ['sign_in.account_linked', 'record.exists', 'record.version_differs'].includes(code);

async function findOrCreate(
  context: BaseContext,
  provider: SignInProvider,
  account: Account,
): Promise<RecordState> {
  const { directory } = context;
  const userId = linkedUserId(context, account) ?? (await linkNew(context, provider, account));
  const user = directory.record('User', userId);
  if (user === undefined) return createUser(context, { provider, account, userId });
  requireAdmissible(user, provider);
  return updateUser(context, { provider, account, user });
}

function linkedUserId({ directory }: BaseContext, account: Account): string | undefined {
  const id = identityIdOf(account.issuer, account.subject);
  return toExternalIdentity(directory.record(externalIdentityType, id))?.userId;
}

/** Links an unknown account to the user with its name, or to the id of a new user. Returns the id. */
async function linkNew(
  context: BaseContext,
  provider: SignInProvider,
  account: Account,
): Promise<string> {
  // Another instance may have linked the account a moment ago.
  await context.catchUp();
  const linked = linkedUserId(context, account);
  if (linked !== undefined) return linked;
  const { userName } = account;
  const namesake = userName === undefined ? undefined : context.directory.userByName(userName);
  if (namesake !== undefined) {
    if (!provider.linksByUserName || !isNamesake(context, account, namesake)) {
      throw nameTaken(userName ?? '');
    }
    requireAdmissible(namesake, provider);
    await linkAccount(context, account, namesake.id);
    return namesake.id;
  }
  if (!provider.createsUsers) throw noUser();
  if (userName === undefined) throw nameless(provider.userNameClaim);
  const userId = context.newId();
  await linkAccount(context, account, userId);
  return userId;
}

/** Returns whether an account belongs to the user with its name. A name that a provider has assigned again does not. */
function isNamesake({ directory }: BaseContext, account: Account, user: RecordState): boolean {
  const isOther = (state: RecordState) => {
    const other = toExternalIdentity(state);
    return other?.userId === user.id && other.issuer === account.issuer;
  };
  return account.isExactName && !directory.records(externalIdentityType).some(isOther);
}

export async function linkAccount(
  context: BaseContext,
  { issuer, subject, accountName }: Account,
  userId: string,
): Promise<void> {
  await context.sender.send(linkIdentityCommand, {
    ...bySystem,
    id: identityIdOf(issuer, subject),
    model: userModelOf(context.directory),
    body: { issuer, subject, accountName, userId },
    deadline: context.now() + context.timeoutMs,
  });
}

interface Admission {
  readonly provider: SignInProvider;
  readonly account: Account;
}

async function createUser(
  context: BaseContext,
  { provider, account, userId }: Admission & { readonly userId: string },
): Promise<RecordState> {
  const { userName, firstName, lastName, emailAddress, groups } = account;
  if (!provider.createsUsers) throw noUser();
  if (userName === undefined) throw nameless(provider.userNameClaim);
  if (context.directory.userByName(userName) !== undefined) throw nameTaken(userName);
  const none = { teamsIds: [], rolesIds: [] };
  const rights = groups === null ? none : applyGroups(none, groups, provider.groups);
  const body = {
    userName,
    type: 'regular',
    lastName: lastName ?? userName,
    ...readable(context, { firstName, emailAddress }),
    ...existing(context, rights),
  };
  const { state } = await context.sender.send(createCommand, {
    ...bySystem,
    id: userId,
    model: userModelOf(context.directory),
    body,
    // The claims have no values for the fields that an administrator has added to users.
    conditions: { allowsMissingFields: true },
    deadline: context.now() + context.timeoutMs,
  });
  context.log.info({ userId, providerId: provider.id }, 'user created at first sign-in');
  return state;
}

/** Updates the user from the claims, if the provider is configured to do so. Writes nothing if nothing differs. */
async function updateUser(
  context: BaseContext,
  { provider, account, user }: Admission & { readonly user: RecordState },
): Promise<RecordState> {
  const { firstName, lastName, emailAddress, groups } = account;
  const named = provider.syncsUser ? readable(context, { firstName, lastName, emailAddress }) : {};
  const rights =
    provider.syncsGroups && groups !== null
      ? existing(context, applyGroups(rightsOf(user), groups, provider.groups))
      : {};
  const changed: Readonly<Record<string, string | readonly string[]>> = { ...named, ...rights };
  const body = Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => !isSame(user.values[name], value)),
  );
  if (Object.keys(body).length === 0) return user;
  const { state } = await context.sender.send(updateCommand, {
    ...bySystem,
    id: user.id,
    model: userModelOf(context.directory),
    body,
    // The lists of teams and roles are written as a whole: an administrator may have just changed them.
    conditions: { ifMatch: [user.version] },
    deadline: context.now() + context.timeoutMs,
  });
  return state;
}

/** Drops missing values, and values that the fields of users do not accept: they must not prevent a sign-in. */
function readable(
  context: BaseContext,
  given: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  const model = userModelOf(context.directory);
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === null) return [];
      const { problems } = readInput(model, { [name]: value }, 'update');
      return problems.length === 0 ? [[name, value] as const] : [];
    }),
  );
}

/** Drops teams and roles that were deleted after an administrator mapped them. */
function existing({ directory }: BaseContext, { teamsIds, rolesIds }: GroupRights): GroupRights {
  const isLive = (entityType: string) => (id: string) =>
    directory.record(entityType, id)?.deleted === false;
  return { teamsIds: teamsIds.filter(isLive('Team')), rolesIds: rolesIds.filter(isLive('Role')) };
}

function rightsOf({ values }: RecordState): GroupRights {
  return { teamsIds: idsIn(values['teamsIds']), rolesIds: idsIn(values['rolesIds']) };
}

/** Compares lists of ids without their order. */
function isSame(before: AttributeValue | undefined, after: string | readonly string[]): boolean {
  if (typeof after === 'string') return before === after;
  const ids = new Set(idsIn(before));
  return ids.size === after.length && after.every((id) => ids.has(id));
}

/** Rejects users who must not sign in through the provider. */
function requireAdmissible(user: RecordState, provider: SignInProvider): void {
  if (!isActiveUser(user)) throw userInactive();
  const { type } = user.values;
  if (type === 'regular' || (type === 'admin' && provider.allowsAdministrators)) return;
  const message =
    type === 'admin'
      ? 'Administrators do not sign in through this provider. Use your password.'
      : 'Only people sign in through a provider.';
  throw new Refusal('forbidden', 'sign_in.user_type', message);
}

function noUser(): Refusal {
  const message = 'No user is linked to this account. Ask an administrator to create one.';
  return new Refusal('forbidden', 'sign_in.no_user', message);
}

function nameTaken(userName: string): Refusal {
  const message = `The user name ${printable(userName)} belongs to a user who is not linked to this account. Sign in with the password and link the account in the profile.`;
  return new Refusal('forbidden', 'sign_in.name_taken', message);
}

function nameless(claim: string): Refusal {
  const message = `The provider sends no user name in the claim ${printable(claim)}. An administrator can choose another claim.`;
  return new Refusal('forbidden', 'sign_in.claims', message);
}
