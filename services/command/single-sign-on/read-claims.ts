import { Refusal } from '../../../shared/domain/errors.ts';
import type {
  GroupMapping,
  SignInProvider,
} from '../../../shared/domain/login/sign-in-provider.ts';

/** The validated claims about an account. */
export type Claims = Readonly<Record<string, unknown>>;

/** The user that a provider describes. */
export interface Account {
  readonly issuer: string;
  readonly subject: string;
  /** The provider's session, which back-channel logout may name; null if the provider names none. */
  readonly sessionId: string | null;
  /** In the form of a user name; undefined if the claim is missing or has no usable character. */
  readonly userName: string | undefined;
  /** The user name as the claim spells it. */
  readonly claimedName: string | null;
  /** False if the user name differs from the claim in more than case: other accounts may then have the same one. */
  readonly isExactName: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  /** How the provider names the account, for people. */
  readonly accountName: string;
  /** Null if the provider does not read groups. */
  readonly groups: ReadonlySet<string> | null;
}

const MAX_USER_NAME = 50;
const MAX_NAME = 100;
const MAX_EMAIL = 255;
/** The limit of OpenID Connect for subjects. */
const MAX_SUBJECT = 255;
/** Far more than a provider puts into a token. The rest of a longer list would decide about rights, so it is rejected. */
const MAX_GROUPS = 5_000;

/** Reads an account from the claims that `connect.ts` has validated. Rejects claims that cannot identify an account. */
export function readAccount(claims: Claims, provider: SignInProvider): Account {
  const subject = textIn(claims, 'sub');
  if (subject === null || subject.length > MAX_SUBJECT) {
    throw claimProblem('sub', `must be a text of 1 to ${MAX_SUBJECT} characters`);
  }
  const emailAddress = textIn(claims, 'email', MAX_EMAIL);
  const named = textIn(claims, provider.userNameClaim);
  const userName = named === null ? undefined : toUserName(named);
  return {
    issuer: provider.issuer,
    subject,
    sessionId: textIn(claims, 'sid', MAX_EMAIL),
    userName,
    claimedName: named,
    isExactName: named?.trim().toLowerCase() === userName,
    firstName: textIn(claims, 'given_name', MAX_NAME),
    lastName: textIn(claims, 'family_name', MAX_NAME) ?? textIn(claims, 'name', MAX_NAME),
    emailAddress,
    accountName: (emailAddress ?? named ?? subject).slice(0, MAX_NAME),
    groups: provider.groupClaim === null ? null : readGroups(claims, provider.groupClaim),
  };
}

/**
 * Converts a name to the characters that user names may have: `Ann Lee` becomes `ann_lee`, and `Jürgen` becomes
 * `jurgen`. Undefined if nothing is left.
 */
export function toUserName(name: string): string | undefined {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^a-z0-9@._-]/g, '')
    .slice(0, MAX_USER_NAME);
  return /[a-z0-9]/.test(plain) ? plain : undefined;
}

/** A missing claim means that the account is in no group. */
function readGroups(claims: Claims, name: string): ReadonlySet<string> {
  // Entra ID replaces the groups of accounts with more than 200 of them by a reference. Treating these accounts as
  // members of no group would take their rights away.
  const sources = claims['_claim_names'];
  if (typeof sources === 'object' && sources !== null && Object.hasOwn(sources, name)) {
    throw claimProblem(name, 'is only a reference because the account has too many groups');
  }
  const value = valueAt(claims, name);
  if (value === undefined || value === null) return new Set();
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_GROUPS) throw claimProblem(name, `has more than ${MAX_GROUPS} groups`);
  return new Set(list.filter((one) => typeof one === 'string'));
}

/** The rights that the groups of an account grant. */
export interface GroupRights {
  readonly teamsIds: readonly string[];
  readonly rolesIds: readonly string[];
}

/**
 * Returns the teams and roles that a user has after a sign-in. Only those in the mappings are added or removed: teams
 * and roles that an administrator assigned otherwise stay.
 */
export function applyGroups(
  current: GroupRights,
  groups: ReadonlySet<string>,
  mappings: readonly GroupMapping[],
): GroupRights {
  const granted = mappings.filter(({ group }) => groups.has(group));
  const apply = (name: keyof GroupRights) => {
    const managed = new Set(mappings.flatMap((mapping) => mapping[name]));
    const added = granted.flatMap((mapping) => mapping[name]);
    const kept = current[name].filter((id) => !managed.has(id) || added.includes(id));
    return [...new Set([...kept, ...added])];
  };
  return { teamsIds: apply('teamsIds'), rolesIds: apply('rolesIds') };
}

function textIn(claims: Claims, name: string, maxLength = Number.POSITIVE_INFINITY): string | null {
  const value = valueAt(claims, name);
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').toWellFormed().trim().slice(0, maxLength);
  return text === '' ? null : text;
}

/** Returns a claim by its name or, like `realm_access.roles`, by its path. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

function claimProblem(name: string, requirement: string): Refusal {
  const message = `The claim ${name.slice(0, 50)} of the provider ${requirement}.`;
  return new Refusal('forbidden', 'sign_in.claims', message);
}
