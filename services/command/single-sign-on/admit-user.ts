import { userInactive } from '../../../shared/domain/directory/acting-user.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import {
  externalIdentityType,
  toExternalIdentity,
} from '../../../shared/domain/login/external-identity.ts';
import { groupsOfUser, provisionedUsers } from '../../../shared/domain/login/provisioning.ts';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { BaseContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { createCommand } from '../records/create.ts';
import { updateCommand } from '../records/update.ts';
import { differing, rightsOf } from './group-rights.ts';
import type { Account } from './read-claims.ts';
import { identityIdOf, linkIdentityCommand } from './single-sign-on-commands.ts';

/**
 * Returns the active user of an account, after a provider has authenticated it.
 *
 *   linked? ──yes──▶ user exists? ──yes──▶ update user and groups ──▶ done
 *     │ no                 └─no: an earlier sign-in ended here──┐
 *     ▼                                                         │
 *   provisioned? ──yes──▶ link                                  │
 *     │ no                                                      ▼
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
  const provisioned = findProvisioned(context, provider, account);
  if (provisioned !== undefined) {
    requireAdmissible(provisioned, provider);
    await linkAccount(context, account, provisioned.id);
    return provisioned.id;
  }
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

/**
 * Returns the user that the provider manages through SCIM and that this account is: the one with its subject as external
 * id or, if that user has no account of the provider yet, with its user name. Providers decide which of the two they
 * send to both, for example Okta the id and Entra ID the name.
 */
function findProvisioned(
  { directory }: BaseContext,
  provider: SignInProvider,
  account: Account,
): RecordState | undefined {
  const users = provisionedUsers(directory, provider.id);
  const byId = users.find(({ externalId }) => externalId === account.subject);
  if (byId !== undefined) return directory.record('User', byId.userId);
  const name = account.claimedName?.toLowerCase();
  const byName = users.find(({ userId, userName }) => {
    // Not a user whom an administrator has renamed: the provider may have given the old name to another person.
    const isCurrent = directory.record('User', userId)?.values['userName'] === account.userName;
    return isCurrent && userName.toLowerCase() === name;
  });
  if (byName === undefined || hasAccount(directory, byName.userId, account.issuer))
    return undefined;
  return directory.record('User', byName.userId);
}

function hasAccount({ records }: Directory, userId: string, issuer: string): boolean {
  return records(externalIdentityType).some((state) => {
    const known = toExternalIdentity(state);
    return known?.userId === userId && known.issuer === issuer;
  });
}

/** Returns whether an account belongs to the user with its name. A name that a provider has assigned again does not. */
function isNamesake({ directory }: BaseContext, account: Account, user: RecordState): boolean {
  return account.isExactName && !hasAccount(directory, user.id, account.issuer);
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
  const body = {
    userName,
    type: 'regular',
    lastName: lastName ?? userName,
    ...readable(context, { firstName, emailAddress }),
    ...rightsOf(context.directory, provider, undefined, groups ?? new Set()),
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
  const { directory } = context;
  const { firstName, lastName, emailAddress } = account;
  const named = provider.syncsUser ? readable(context, { firstName, lastName, emailAddress }) : {};
  // Claims may name groups differently, so they must not take the rights of provisioned groups away.
  const groups =
    groupsOfUser(directory, provider.id, user.id) ?? (provider.syncsGroups ? account.groups : null);
  const rights = groups === null ? {} : rightsOf(directory, provider, user, groups);
  const body = differing(user, { ...named, ...rights });
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
